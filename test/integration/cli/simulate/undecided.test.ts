import { Baseline, programs, type SimulateQuestion as Question } from "@pulumi-ovn/cli/testing";
import { type Declared, planBetween } from "../../../support/planned";
import type { Entries } from "../../../support/simulated-plans";

jest.setTimeout(120_000);

type Entry = Entries[string];
const logicalSwitch = (name: string): Entry => ({ table: "Logical_Switch", columns: { name } });
const workload = (on: string, ...addresses: string[]): Entry => ({
  table: "Logical_Switch_Port",
  columns: { addresses },
  parent: { table: "Logical_Switch", row: on, column: "ports" },
});
const router = (options: object): Entry => ({ table: "Logical_Router", columns: { options } });
/** A router's port on a switch. */
const link = (from: string, on: string, mac: string, address: string): Entries => ({
  [`${from}-${on}`]: {
    table: "Logical_Router_Port",
    columns: { mac, networks: [`${address}/24`] },
    parent: { table: "Logical_Router", row: from, column: "ports" },
  },
  [`${on}-${from}`]: {
    table: "Logical_Switch_Port",
    columns: { type: "router", addresses: ["router"], options: { "router-port": `${from}-${on}` } },
    parent: { table: "Logical_Switch", row: on, column: "ports" },
  },
});
const acl = (on: string, match: string, action: string, priority: number): Entry => ({
  table: "ACL",
  columns: { direction: "to-lport", priority, match, action },
  parent: { table: "Logical_Switch", row: on, column: "acls" },
});

const unnamed: Entries = {
  s1: logicalSwitch("s1"),
  s2: logicalSwitch("s2"),
  s3: logicalSwitch("s3"),
  s4: logicalSwitch("s4"),
  w1: workload("s1", "0a:00:00:00:01:02 10.1.0.2"),
  w2: workload("s2", "0a:00:00:00:02:02 10.2.0.2 192.0.2.1"),
  w3: workload("s3", "0a:00:00:00:03:02 10.3.0.2"),
  w4: workload("s4", "0a:00:00:00:04:02 10.4.0.2"),
  w6: workload("s2", "0a:00:00:00:02:06 10.2.0.6"),
  w5: workload("s4", "0a:00:00:00:04:03 10.4.0.3"),
  any: workload("s2", "unknown"),
  static: router({}),
  dynamic: router({ "dynamic-routing": "true" }),
  ...link("static", "s1", "0a:00:00:00:01:01", "10.1.0.1"),
  ...link("static", "s2", "0a:00:00:00:02:01", "10.2.0.1"),
  ...link("dynamic", "s3", "0a:00:00:00:03:01", "10.3.0.1"),
  session: { table: "BFD", columns: { logical_port: "static-s2", dst_ip: "10.2.0.2" } },
  watched: {
    table: "Logical_Router_Static_Route",
    columns: { ip_prefix: "192.0.2.0/24", nexthop: "10.2.0.2" },
    references: { bfd: ["session"] },
    parent: { table: "Logical_Router", row: "static", column: "static_routes" },
  },
  web: {
    table: "Load_Balancer",
    columns: { name: "web", protocol: "tcp", vips: { "10.1.0.100:80": "10.2.0.2:80" }, ip_port_mappings: { "10.2.0.2": "w2:10.2.0.200" } },
    parent: { table: "Logical_Switch", row: "s1", column: "load_balancer" },
  },
  check: {
    table: "Load_Balancer_Health_Check",
    columns: { vip: "10.1.0.100:80" },
    parent: { table: "Load_Balancer", row: "web", column: "health_check" },
  },
  tracked: acl("s2", "icmp4", "allow-related", 900),
  compared: acl("s2", 'outport == "w2" && tcp.dst == 22 && ct.new==1', "drop", 1000),
  raw: acl("s4", 'outport == "w5" && ct_state[0] == 1', "drop", 1000),
};

const NAMED = ["Logical_Switch_Port", "Logical_Router", "Logical_Router_Port"];
const entries = Object.fromEntries(
  Object.entries(unnamed).map(([name, row]) => [name, NAMED.includes(row.table) ? { ...row, columns: { name, ...row.columns } } : row]),
);
const declared: Declared[] = [{ kind: "NorthboundRows", name: "rows", args: { zone: "node1", entries } }];
let baseline: Baseline;
beforeAll(async () => {
  baseline = await Baseline.create(await planBetween(declared, declared), programs);
  expect(baseline.world.omissions).toEqual([]);
});
afterAll(() => baseline?.[Symbol.asyncDispose]());

const tcp = (port: number) => ({ name: "tcp", port }) as const;
const ask = async (from: string, source: string, to: Question["to"], protocol: Question["protocol"] = { name: "icmp" }) => {
  const { reach, unknowns } = await baseline.answer({ from: { kind: "workload", name: from }, source, to, family: 4, protocol });
  return { reach, unknowns };
};
const w2 = (address: string) => ({ kind: "workload", name: "w2", address }) as const;

it("assumes that a BFD session is up, and names it", async () => {
  expect(await ask("w1", "10.1.0.2", w2("192.0.2.1"))).toEqual({ reach: true, unknowns: ["the BFD session with 10.2.0.2 is assumed to be up"] });
  expect(await ask("w1", "10.1.0.2", w2("10.2.0.2"))).toEqual({ reach: true, unknowns: [] });
});

it("assumes that backends with health checks are online, and names the load balancer", async () => {
  expect(await ask("w1", "10.1.0.2", { kind: "published", address: "10.1.0.100" }, tcp(80))).toEqual({
    reach: true,
    unknowns: [
      "workloads are assumed to have a route by their gateway to load balancers in their subnet",
      "the backends of load balancer web, which has health checks, are assumed to be online",
    ],
  });
});

it("does not know where a switch has learned an address, nor where a router has learned a route", async () => {
  const learned = { reach: undefined, unknowns: ["the ports of MAC addresses that s2 in zone node1 learns (FDB) are not known without --live"] };
  expect(await ask("w1", "10.1.0.2", { kind: "outside", address: "10.2.0.77" })).toEqual(learned);
  // From the same subnet, too.
  expect(await ask("w6", "10.2.0.6", { kind: "outside", address: "10.2.0.77" })).toEqual(learned);
  expect(await ask("w3", "10.3.0.2", { kind: "outside", address: "198.51.100.7" })).toEqual({
    reach: undefined,
    unknowns: ["routes that dynamic in zone node1 learns (dynamic-routing) are not known without --live"],
  });
});

it("evaluates states of a connection that a match compares, and does not know what a match on other state of a chassis does", async () => {
  expect(await ask("w1", "10.1.0.2", w2("10.2.0.2"), tcp(22))).toEqual({ reach: false, unknowns: [] });
  expect(await ask("w1", "10.1.0.2", w2("10.2.0.2"), tcp(80))).toEqual({ reach: true, unknowns: [] });
  expect(await ask("w4", "10.4.0.2", { kind: "workload", name: "w5", address: "10.4.0.3" })).toEqual({
    reach: undefined,
    unknowns: ['the match outport == "w5" && ct_state[0] == 1 depends on state of a chassis'],
  });
});
