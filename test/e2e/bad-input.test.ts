import { difference, NO_DIFFERENCE } from "../support/dump";
import { blue } from "../support/network";
import { freePort } from "../support/ovsdb-server";
import { Workspace } from "../support/workspace";
import { TestZones } from "../support/zones";

jest.setTimeout(600_000);

let zones: TestZones;
let workspace: Workspace;
let dead: number;
beforeAll(async () => {
  zones = await TestZones.start(["node1"]);
  dead = await freePort();
  workspace = await Workspace.create("", { ...zones.config, node2: { northbound: `tcp:127.0.0.1:${dead}`, timeout: 1 } });
});
afterAll(async () => {
  await workspace?.[Symbol.asyncDispose]();
  await zones?.stop();
});

const network = (change: object) => `new ovn.Layer2Network("blue", ${JSON.stringify({ ...blue(["node1"], change), tunnelKeys: [5, 6], waitFor: "none" })});`;
const layer2Switch = (name: string, args: object) =>
  `new ovn.Layer2Switch("${name}", ${JSON.stringify({ zone: "node1", name: "l2", subnets: ["203.203.0.0/16"], tunnelKey: 5, ...args })});`;
const wrongNodes = { ...blue(["node1"]).nodes, node2: { id: 2, external: { adresses: [], addresses: ["203.203.5.1/24"] } } };

const rows = (zone: string, columns: object) => `new ovn.NorthboundRows("rows", ${JSON.stringify({ zone, entries: { acl: { table: "ACL", columns } } })});`;

/** Text that a user sees, how often it appears, and the amount of other text. */
const cases: readonly [what: string, program: string, text: () => string][] = [
  [
    "a value that its column does not take",
    rows("node1", { priority: "high" }),
    () => 'property entries.acl.columns.priority value {<nil>} has a problem: ACL.priority: "high" is not an integer [column-value]',
  ],
  [
    "a value beyond its range",
    rows("node1", { priority: 40_000 }),
    () => "property entries.acl.columns.priority value {<nil>} has a problem: ACL.priority: 40000 is not 0 to 32767 [column-value]",
  ],
  [
    "a value of a zone that is not there",
    rows("node2", { log: "yes" }),
    () => 'property entries.acl.columns.log value {<nil>} has a problem: ACL.log: "yes" is not a boolean [column-value]',
  ],
  [
    "a match that OVN doesn't parse",
    rows("node1", { match: "ip4 && tcp.dest == 23" }),
    () => "property entries.acl.columns.match value {<nil>} has a problem: column 8: tcp.dest is not a field or predicate; did you mean tcp.dst?",
  ],
  [
    "an argument that fails, by its own name",
    `new ovn.Layer2Switch("sw", { zone: "node1", name: Promise.reject(new pulumi.RunError("no name today")), subnets: ["203.203.0.0/16"] });`,
    () => 'error: error serializing property "name": no name today',
  ],
  [
    "arguments of a network",
    network({ nodes: wrongNodes }),
    () => '  nodes.node2.external.adresses: there is no argument "adresses"; did you mean "addresses"? [unknown-argument]',
  ],
  [
    "relations between arguments, all of them at once",
    network({ subnets: ["203.203.0.0/16"], workloads: {}, joinSubnets: ["203.203.5.0/24"], gatewayAddresses: ["203.204.0.1"] }),
    () =>
      'error: Layer2Network "blue" can\'t be made from these arguments:\n      joinSubnets[0]: subnet 203.203.0.0/16 overlaps join subnet 203.203.5.0/24 [overlap]\n      gatewayAddresses[0]: 203.204.0.1 is outside of 203.203.0.0/16 [not-in-subnet]',
  ],
  [
    "arguments that are outputs, once",
    `const external = { addresses: [pulumi.output("203.203.5.1/24")] };
     new ovn.Layer2Network("blue", { ...${JSON.stringify({ ...blue(["node1"]), tunnelKeys: [5, 6] })}, nodes: { node1: { id: 2, external } } });`,
    () =>
      'error: Layer2Network "blue" can\'t be made from these arguments:\n      nodes.node1.external.addresses[0]: subnet 203.203.0.0/16 overlaps external network of node1 203.203.5.0/24 [overlap]',
  ],
  [
    "keys of a pool that VXLAN does not carry",
    `const keys = new ovn.TunnelKeyPool("keys", { owners: { blue: 2 } });
     new ovn.Layer2Network("blue", { ...${JSON.stringify(blue(["node1"], { nodes: { node1: { ...blue(["node1"]).nodes.node1!, encapsulation: "vxlan" } } }))}, tunnelKeys: keys.of("blue") });`,
    () =>
      'Layer2Network "blue" can\'t be made from these arguments:\n      tunnelKeys[0]: tunnel key 16715779 does not fit in VXLAN: keys end at 4095 there [out-of-range]\n      tunnelKeys[1]: tunnel key 16715780 does not fit',
  ],
  [
    "a workload called as its own network's management port, in a preview that does not know the rest",
    `const other = new ovn.Layer2Switch("other", { zone: "node1", name: "other", subnets: ["10.0.0.0/8"] });
     new ovn.Layer2Network("blue", { ...${JSON.stringify({ ...blue(["node1"], { management: {}, workloads: { "k8s-blue_node1": { node: "node1", addresses: ["203.203.0.17"] } } }), tunnelKeys: [5, 6] })}, mtu: other.revision.apply(() => 1400) });`,
    () => 'workloads["k8s-blue_node1"]: the name k8s-blue_node1 of a Logical_Switch_Port is already used by the management port of node "node1" [duplicate]',
  ],
  [
    "addresses that nobody can have",
    layer2Switch("sw", { subnets: ["224.0.0.0/8"] }),
    () => "224.0.0.0/8 can't be a subnet: 224.0.0.0/4 is for multicast (RFC 5771) [unusable]",
  ],
  [
    "secret keys, not showing them",
    `new ovn.Layer2Network("blue", { ...${JSON.stringify(blue(["node1"]))}, tunnelKeys: pulumi.secret([77, 16777333]) });`,
    () => "\n      tunnelKeys[1]: is refused (the value is secret) [out-of-range]",
  ],
  [
    "an argument of a resource, and a zone",
    layer2Switch("sw", { subnets: ["010.0.0.0/8"], zone: "node9" }),
    () => 'zone "node9" is not configured; the targets have node1, node2; did you mean "node1"? [zone]',
  ],
  [
    "zones that disagree",
    layer2Switch("one", {}) + layer2Switch("two", { zone: "node2", tunnelKey: 7 }),
    () => 'OVN_DISAGREEMENT: tunnelKey of switch "l2" must be the same in all zones: one in zone "node1" says 5, two in zone "node2" says 7',
  ],
  [
    "a tunnel key that two want",
    layer2Switch("one", {}) + layer2Switch("two", { name: "l3" }),
    () =>
      'OVN_CLAIMED: tunnel key 5 in zone "node1" is already used by one for switch "l2", wanted by two for switch "l3"; give one of the two another tunnel key, or both keys of a TunnelKeyPool',
  ],
  [
    "the resource option import",
    'new ovn.NorthboundRows("r", { zone: "node1", entries: {} }, { import: "1" });',
    () => 'error: OVN_IMPORT: NorthboundRows "r": Pulumi can\'t import resources of this package by the option "import"; take over rows',
  ],
  [
    "a row that the database would remove at once",
    'new ovn.NorthboundRows("r", { zone: "node1", entries: { web: { table: "ACL", columns: { action: "allow", direction: "to-lport", match: "ip4", priority: 1 } } } });',
    () => "ACL web: no row lists it, so the database would delete it immediately; give it a parent, or have another row of the resource refer to it",
  ],
  [
    "a refused connection",
    layer2Switch("two", { zone: "node2" }),
    () => `error: OVSDB_CONNECTION: Layer2Switch "two" in zone "node2" (tcp:127.0.0.1:${dead}): connect ECONNREFUSED`,
  ],
];

it.each(cases)("reports what is wrong with %s, in few words, and writes nothing", async (_what, program, text) => {
  const before = await zones.northbound();
  await workspace.write(program);
  const { code, stdout, stderr } = await workspace.run("up", "--yes", "--stack", "dev");
  expect(code).not.toBe(0);
  expect(stdout).toContain(text());
  expect(stdout + stderr).not.toMatch(/^\s+at .*[:(]\d+|node_modules|node:internal/m);
  const diagnostics = stdout.slice(stdout.lastIndexOf("Diagnostics:"));
  expect(diagnostics.split("\n").length).toBeLessThan(20);
  expect(difference(before, await zones.northbound())).toEqual(NO_DIFFERENCE);
});
