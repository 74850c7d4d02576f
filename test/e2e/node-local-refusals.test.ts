import { type Central, startCentral } from "@pulumi-ovn/sandbox";
import { OpenVSwitch } from "../support/open-vswitch";
import { Workspace } from "../support/workspace";

/** A cluster's database and two hosts' own, without daemons: nothing may be written to them. */
let central: Central;
let hosts: OpenVSwitch[];
let workspace: Workspace;

beforeAll(async () => {
  central = await startCentral({ northd: false });
  hosts = await Promise.all([OpenVSwitch.start(), OpenVSwitch.start()]);
  await central.run("ovn-nbctl", ["lr-add", "ovn_cluster_router"]);
  const [h1, h2] = hosts.map(({ endpoint }) => ({ openvswitch: endpoint }));
  workspace = await Workspace.create("", { central: { northbound: central.northbound, southbound: central.southbound }, h1, h2 });
});
afterAll(async () => {
  await Promise.all(hosts.map((host) => host[Symbol.asyncDispose]()));
  await central.stop();
  await workspace[Symbol.asyncDispose]();
});

const host = (index: number, change: object = {}) => ({
  hostZone: `h${index}`,
  routerPort: `rtos-node${index}`,
  hostAddresses: [`172.18.0.11${index}`],
  management: { addresses: [`192.168.${index}.2`] },
  ...change,
});
const nodes = { a: host(1), "b-a": host(2) };
const zone = (change: object = {}) => ({ zones: { central: { router: "ovn_cluster_router", nodes, ...change } } });

const unwritten = async () => {
  expect((await central.run("ovn-nbctl", ["show"])).stdout).toMatch(/^router [0-9a-f-]{36} \(ovn_cluster_router\)\n$/);
  for (const { vsctl } of hosts.map((open) => ({ vsctl: open.vsctl.bind(open) }))) {
    expect(await vsctl("list-br")).toBe("");
    expect(await vsctl("get", "Open_vSwitch", ".", "external_ids")).toBe("{}");
  }
};

it.each<[string, object]>([
  ["subnets[0]: subnet in usedSubnets 169.254.0.0/17 overlaps node-local subnet 169.254.0.0/20 [overlap]", { ...zone(), usedSubnets: ["169.254.0.0/17"] }],
  [
    "subnets[0]: 169.254.0.0/29 has addresses for 4 nodes, and there are 5: take a larger subnet [exhausted]",
    { ...zone({ nodes: Object.fromEntries([1, 2, 3, 4, 5].map((index) => [`n${index}`, host(index)])) }), subnets: ["169.254.0.0/29"] },
  ],
  [`zones.central.nodes["b\\"a"]: name "b\\"a" can't have quotes: names become part of OVN match expressions [name]`, zone({ nodes: { 'b"a': host(1) } })],
  ['zones.central.gateway: "c" is not one of the zone\'s nodes: a, b-a [unknown-node]', zone({ gateway: "c" })],
  ['zone "h3" is not configured; the targets have central, h1, h2', zone({ nodes: { a: host(3) } })],
  [
    'zone "central" has no openvswitch endpoint, which Open_vSwitch rows need; set zones.central.openvswitch in the file of targets',
    zone({ nodes: { a: host(1, { hostZone: "central" }) } }),
  ],
  ["172.18.0.111 is inside of node-local subnet 172.18.0.0/16", { ...zone(), subnets: ["172.18.0.0/16"] }],
])("refused before anything is written: %s", async (text, args) => {
  await workspace.write(`new ovn.NodeLocalAccess("local", { ...${JSON.stringify(args)}, waitFor: "none" });`);
  const { code, stdout, stderr } = await workspace.run("up", "--yes", "--stack", "dev");
  expect(code).not.toBe(0);
  expect(stdout + stderr).toContain(text);
  await unwritten();
});

it("an owner that the pool does not have", async () => {
  await workspace.write('const pool = new ovn.AddressPool("pool", { owners: ["a"] }); exports.own = pool.of("b");');
  const { code, stdout, stderr } = await workspace.run("preview", "--stack", "dev");
  expect(code).not.toBe(0);
  expect(stdout + stderr).toContain('AddressPool "pool" has no owner "b"; it has a');
});
