/**
 * Writers of one row set at the same time.
 * @once
 */
import { setTimeout as sleep } from "node:timers/promises";
import { difference, NO_DIFFERENCE } from "../support/dump";
import { Workspace } from "../support/workspace";
import { TestZones } from "../support/zones";

jest.setTimeout(600_000);

const shared = `
const sw = new ovn.Layer2Switch("sw", { zone: "node1", name: "l2", subnets: ["203.203.0.0/16"], tunnelKey: 5 });
new ovn.TransitRouter("tr", { zone: "node1", name: "tr", tunnelKey: 6, switch: sw.uuid, switchName: "l2", gateway: { addresses: ["203.203.0.1/16"] } });
`;

/** A stack that hangs a gateway router and workloads on the router and the switch of another stack. */
const guest = (network: string, id: number, routes: number) => `
const gr = new ovn.GatewayRouter("gr", { zone: "node1", name: "GR_${network}_node1", chassis: "node1", external: { switchName: "ext_${network}", localnetPortName: "br-ex_${network}", networkName: "physnet", addresses: ["172.18.0.${id}/24"] } });
new ovn.GatewayPeer("peer", { zone: "node1", network: "${network}", routerName: "tr-${network}", router: "tr", gatewayRouter: gr.uuid, node: "node1", nodes: { node1: { id: ${id} } }, subnets: ["203.203.0.0/16"], transitSubnets: ["100.88.0.0/16"], joinSubnets: ["100.65.0.0/16"] });
for (let index = 0; index < ${routes}; index++) {
  new ovn.WorkloadPorts("vms" + index, { zone: "node1", switch: "l2", ports: { ["${network}" + index]: { addresses: ["203.203.${id}." + (10 + index)], tunnelKey: ${id} * 100 + index } } });
}
`;
const PORTS = 8;

let zones: TestZones;
const workspaces: Workspace[] = [];
beforeAll(async () => {
  zones = await TestZones.start(["node1"]);
  for (const [project, program] of Object.entries({ host: shared, one: guest("blue", 2, PORTS), two: guest("red", 3, PORTS) })) {
    workspaces.push(await Workspace.create(program, zones.config, project));
  }
});
afterAll(async () => {
  await Promise.all(workspaces.map((workspace) => workspace[Symbol.asyncDispose]()));
  await zones?.stop();
});

const nbctl = (...args: string[]) => zones.nbctl("node1", ...args);
const names = async (...args: string[]) => [...(await nbctl(...args)).matchAll(/\(([^)]+)\)/g)].map(([, name]) => name!).sort();

const subnetOf = (prefix: number, count: number) => `10.${prefix + Math.floor(count / 256)}.${count % 256}.0/24`;

/** Writes to the same router and switch for as long as the others are at work. Returns how often it did. */
async function byHand(prefix: number, work: Promise<unknown>): Promise<number> {
  let busy = true;
  const end = work.finally(() => (busy = false));
  let count = 0;
  for (; busy; count++) {
    await sleep(20);
    await nbctl(
      "lr-route-add",
      "tr",
      subnetOf(prefix, count),
      "203.203.0.254",
      "--",
      "set",
      "logical_router",
      "tr",
      `options:hand-${prefix}-${count}=1`,
      "--",
      "lsp-add",
      "l2",
      `hand-${prefix}-${count}`,
    );
  }
  await end;
  return count;
}

it("loses no update of two stacks and another writer that change the same router and switch at the same time", async () => {
  const [host, one, two] = workspaces as [Workspace, Workspace, Workspace];
  await host.up();

  const first = await byHand(1, Promise.all([one.up(), two.up()]));
  const hand = (prefix: number, count: number) => Array.from({ length: count }, (_, index) => `hand-${prefix}-${index}`);
  const guests = (network: string) => Array.from({ length: PORTS }, (_, index) => `${network}${index}`);
  expect(first).toBeGreaterThan(0);
  expect(await names("lrp-list", "tr")).toEqual(["trtor-GR_blue_node1", "trtor-GR_red_node1", "trtos-l2"]);
  expect(await names("lsp-list", "l2")).toEqual([...guests("blue"), ...guests("red"), ...hand(1, first), "stotr-l2"].sort());
  const routes = (await nbctl("--bare", "--columns=ip_prefix", "list", "logical_router_static_route")).split("\n").filter((prefix) => prefix.startsWith("10."));
  expect(routes.sort()).toEqual(Array.from({ length: first }, (_, index) => subnetOf(1, index)).sort());

  // While one stack is destroyed, the rows of the other stack and of other writers stay.
  const before = await zones.northbound();
  const second = await byHand(100, one.must("destroy", "--yes", "--skip-preview", "--stack", "dev"));
  expect(await names("lsp-list", "l2")).toEqual([...guests("red"), ...hand(1, first), ...hand(100, second), "stotr-l2"].sort());
  expect(await names("lrp-list", "tr")).toEqual(["trtor-GR_red_node1", "trtos-l2"]);
  for (const name of [...hand(1, first), ...hand(100, second)]) expect(await nbctl("get", "logical_router", "tr", `options:${name}`)).toBe('"1"');
  expect(await two.changes("up", "--yes", "--skip-preview", "--refresh")).toEqual({ same: 3 + PORTS });
  expect(await host.changes("up", "--yes", "--skip-preview", "--refresh")).toEqual({ same: 3 });

  // And it can come back as it was.
  await one.up();
  const after = difference(before, await zones.northbound());
  expect([after.removed, after.added.length]).toEqual([[], 2 * second]);
  expect(Object.values(after.changed).flat().sort()).toEqual(second === 0 ? NO_DIFFERENCE.added : ["options", "ports", "static_routes"]);
});
