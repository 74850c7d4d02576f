import { Workspace } from "../support/workspace";
import { TestZones } from "../support/zones";

jest.setTimeout(600_000);

let zones: TestZones;
let workspace: Workspace;
beforeAll(async () => {
  zones = await TestZones.start(["node1"]);
  workspace = await Workspace.create(program(16), zones.config);
});
afterAll(async () => {
  await workspace?.[Symbol.asyncDispose]();
  await zones?.stop();
});

/** Values that are unknown until their resource is created, like those of an external address pool. */
const program = (third: number) => `
const pool = {
  create: async (inputs) => ({ id: "pool", outs: { subnet: "203." + inputs.third + ".0.0/16", gateway: "203." + inputs.third + ".0.1/16", external: "172.18." + inputs.third + ".11/24" } }),
  update: async (id, olds, news) => ({ outs: { subnet: "203." + news.third + ".0.0/16", gateway: "203." + news.third + ".0.1/16", external: "172.18." + news.third + ".11/24" } }),
};
class Pool extends pulumi.dynamic.Resource {
  constructor(name, args) { super(pool, name, { subnet: undefined, gateway: undefined, external: undefined, ...args }); }
}
const given = new Pool("given", { third: ${third} });
const zone = "node1";
const sw = new ovn.Layer2Switch("sw", { zone, name: "l2", subnets: [given.subnet], tunnelKey: 5 });
const tr = new ovn.TransitRouter("tr", { zone, name: "blue_transit_router", tunnelKey: 6, switch: sw.uuid, switchName: "l2", gateway: { addresses: [given.gateway] }, chassis: "node1" });
const gr = new ovn.GatewayRouter("gr", { zone, name: "GR_blue_node1", chassis: "node1", external: { switchName: "ext", localnetPortName: "br-ex_blue", addresses: [given.external] }, snatSubnets: [given.subnet] });
const peer = new ovn.GatewayPeer("peer", { zone, network: "blue", node: "node1", nodes: { node1: { id: 2 } }, router: tr.uuid, gatewayRouter: gr.uuid, subnets: [given.subnet], transitSubnets: ["100.88.0.0/16"], joinSubnets: ["100.65.0.0/16"] });
new ovn.Propagation("wait", { zone, waitFor: "southbound", revision: [sw.digest, tr.digest, gr.digest, peer.digest] });
`;

const nbctl = (...args: string[]) => zones.nbctl("node1", ...args);

it("previews known values, converges when the others are known, and never replaces because of an unknown value", async () => {
  const preview = await workspace.must("preview", "--diff", "--stack", "dev");
  expect(preview).toMatch(/\+ 7 to create/);
  expect(preview).toMatch(/name +: "GR_blue_node1"/);
  expect(preview).toMatch(/nodes +: {\n +node1: {\n +id: 2/);
  expect(preview).toMatch(/rows +: \[unknown\]/);
  await workspace.up();
  expect(await nbctl("get", "logical_switch", "l2", "other_config:subnet")).toBe('"203.16.0.0/16"');
  const [uuid, port] = [await nbctl("get", "logical_router", "GR_blue_node1", "_uuid"), await nbctl("get", "logical_router_port", "trtos-l2", "_uuid")];
  expect(await nbctl("lr-nat-list", "GR_blue_node1")).toMatch(/snat +172\.18\.16\.11 +203\.16\.0\.0\/16/);
  expect(Object.keys(await workspace.changes("preview"))).toEqual(["same"]);

  await workspace.write(program(17));
  expect(await workspace.changes("preview")).toEqual({ update: 6, same: 1 });
  expect(await workspace.changes("up", "--yes", "--skip-preview")).toEqual({ update: 6, same: 1 });
  expect(await nbctl("get", "logical_switch", "l2", "other_config:subnet")).toBe('"203.17.0.0/16"');
  expect(await nbctl("lr-nat-list", "GR_blue_node1")).toMatch(/snat +172\.18\.17\.11 +203\.17\.0\.0\/16/);
  expect([await nbctl("get", "logical_router", "GR_blue_node1", "_uuid"), await nbctl("get", "logical_router_port", "trtos-l2", "_uuid")]).toEqual([
    uuid,
    port,
  ]);
  await workspace.must("destroy", "--yes", "--skip-preview", "--stack", "dev");
  expect(await nbctl("show")).toBe("");
});
