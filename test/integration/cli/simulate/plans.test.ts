import { expandLayer2Network, type Layer2NetworkArgs, networkResources } from "@pulumi-ovn/provider";
import type { Declared } from "../../../support/planned";
import { acl, balancer, declared, type Entries, external, network, policy, plansFrom, type Stack, without } from "../../../support/simulated-plans";

jest.setTimeout(300_000);

const floating = (external_ip: string, logical_ip: string): Entries[string] => ({
  table: "NAT",
  columns: { type: "dnat_and_snat", external_ip, logical_ip },
  parent: { table: "Logical_Router", row: "GR_blue_node1", column: "nat" },
});

/** Rules of both zones, and of one. */
const rules: Entries = {
  drop: acl(1000, 'outport == "vm2" && tcp.dst == 22', "drop"),
  admin: acl(1001, 'ip4.src == 203.203.0.21 && outport == "vm2" && tcp.dst == 22', "allow-related"),
  web: balancer({ "203.203.255.1:80": "203.203.0.22:80" }),
};
const own: Record<string, Entries> = {
  node1: { floating: floating("172.18.0.50", "203.203.0.21") },
  node2: { egress: policy(100, "ip4.src == 203.203.0.23", ["100.88.0.5"]) },
};

const base: Stack = { network, rules, own };

const { effects, reported, withRules } = plansFrom(base);
const withOwn = (zone: string, entries: Entries) => declared({ ...base, own: { ...own, [zone]: entries } });
const withNetwork = (change: Partial<Layer2NetworkArgs>) => declared({ ...base, network: { ...network, ...change } });

const HURTING: readonly (readonly [title: string, after: Declared[], effects: readonly string[]])[] = [
  [
    "the order of two ACLs",
    withRules({ drop: acl(1002, 'outport == "vm2" && tcp.dst == 22', "drop") }),
    ["Lost", 'vm1 to vm2: tcp 22 IPv4; ACL drop of NorthboundRows "rules-node2" decides'],
  ],
  [
    "an ACL that drops more ports",
    withRules({ drop: acl(1000, 'outport == "vm2" && tcp.dst == {22, 80}', "drop") }),
    [
      "Lost",
      'vm1 to 203.203.255.1, vm2: tcp 80 IPv4; ACL drop of NorthboundRows "rules-node2" decides',
      'vm3 to vm2: tcp 80 IPv4; ACL drop of NorthboundRows "rules-node2" decides',
    ],
  ],
  [
    "an ACL without its exception",
    declared({ ...base, rules: without(rules, "admin") as Entries }),
    ["Lost", 'vm1 to vm2: tcp 22 IPv4; ACL drop of NorthboundRows "rules-node2" decides'],
  ],
  [
    "a removed ACL",
    declared({ ...base, rules: without(rules, "drop") as Entries }),
    ["Gained", 'vm3 to vm2: tcp 22 IPv4; ACL drop of NorthboundRows "rules-node2" no longer decides'],
  ],
  [
    "an ACL against all",
    withRules({ all: acl(2000, "ip4", "drop") }),
    [
      "Lost",
      'outside, at node1 to 172.18.0.50: icmp IPv4, tcp 22 IPv4, tcp 80 IPv4; ACL all of NorthboundRows "rules-node1" decides',
      'vm1 to 172.18.0.50, outside: icmp IPv4, tcp 22 IPv4, tcp 80 IPv4; ACL all of NorthboundRows "rules-node1" decides',
      'vm1 to 203.203.255.1: tcp 80 IPv4; ACL all of NorthboundRows "rules-node1" decides',
      'vm1 to vm2, vm3: icmp IPv4, tcp 22 IPv4, tcp 80 IPv4; ACL all of NorthboundRows "rules-node2" decides',
      'vm2 to 172.18.0.50, outside, vm3: icmp IPv4, tcp 22 IPv4, tcp 80 IPv4; ACL all of NorthboundRows "rules-node2" decides',
      'vm2, vm3 to vm1: icmp IPv4, tcp 22 IPv4, tcp 80 IPv4; ACL all of NorthboundRows "rules-node1" decides',
      'vm3 to 172.18.0.50, outside: icmp IPv4, tcp 22 IPv4, tcp 80 IPv4; ACL all of NorthboundRows "rules-node2" decides',
      'vm3 to vm2: icmp IPv4, tcp 80 IPv4; ACL all of NorthboundRows "rules-node2" decides',
    ],
  ],
  [
    "an ACL at the wrong port",
    withRules({ drop: acl(1000, 'outport == "vm3" && tcp.dst == 22', "drop") }),
    [
      "Lost",
      'vm1, vm2 to vm3: tcp 22 IPv4; ACL drop of NorthboundRows "rules-node2" decides',
      "Gained",
      'vm3 to vm2: tcp 22 IPv4; ACL drop of NorthboundRows "rules-node2" no longer decides',
    ],
  ],
  [
    "a rejecting ACL against ping",
    withRules({ ping: acl(1500, 'outport == "vm3" && icmp4', "reject") }),
    ["Lost", 'vm1, vm2 to vm3: icmp IPv4; ACL ping of NorthboundRows "rules-node2" decides'],
  ],
  [
    "an ACL in one zone only",
    [
      ...declared(base),
      { kind: "NorthboundRows", name: "more", args: { zone: "node1", entries: { deny: acl(3000, 'outport == "vm1" && ip4.src == 203.203.0.23', "drop") } } },
    ],
    ["Lost", 'vm3 to vm1: icmp IPv4, tcp 22 IPv4, tcp 80 IPv4; ACL deny of NorthboundRows "more" decides'],
  ],
  [
    "a removed floating address",
    withOwn("node1", {}).filter(({ name }) => name !== "own-node1"),
    [
      "Lost",
      'outside, at node1, vm1, vm3 to 172.18.0.50: icmp IPv4, tcp 22 IPv4, tcp 80 IPv4; Logical_Router_Port rtoe-GR_blue_node1 of GatewayRouter "blue-gateway-node1" decides',
      'vm2 to 172.18.0.50: icmp IPv4, tcp 22 IPv4, tcp 80 IPv4; Logical_Switch_Port br-ex_blue_node1 of GatewayRouter "blue-gateway-node1" no longer decides',
      "Another way",
      'vm1 to outside: icmp IPv4, tcp 22 IPv4, tcp 80 IPv4; source address 172.18.0.11 instead of 172.18.0.50; NAT GR_blue_node1 snat 203.203.0.0/16 of GatewayRouter "blue-gateway-node1" decides',
    ],
  ],
  [
    "another floating address",
    withOwn("node1", { floating: floating("172.18.0.51", "203.203.0.21") }),
    [
      "Lost",
      'outside, at node1, vm1, vm3 to 172.18.0.50: icmp IPv4, tcp 22 IPv4, tcp 80 IPv4; Logical_Router_Port rtoe-GR_blue_node1 of GatewayRouter "blue-gateway-node1" decides',
      'vm2 to 172.18.0.50: icmp IPv4, tcp 22 IPv4, tcp 80 IPv4; Logical_Switch_Port br-ex_blue_node1 of GatewayRouter "blue-gateway-node1" no longer decides',
      "Gained",
      'outside, at node1, vm1, vm3 to 172.18.0.51: icmp IPv4, tcp 22 IPv4, tcp 80 IPv4; NAT floating of NorthboundRows "own-node1" decides',
      "Another way",
      "vm1 to outside: icmp IPv4, tcp 22 IPv4, tcp 80 IPv4; source address 172.18.0.51 instead of 172.18.0.50; the path changes",
    ],
  ],
  [
    "a removed egress policy",
    withOwn("node2", {}).filter(({ name }) => name !== "own-node2"),
    [
      "Another way",
      'vm3 to 172.18.0.50: icmp IPv4, tcp 22 IPv4, tcp 80 IPv4; source address 172.18.0.12 instead of 172.18.0.11; Logical_Router_Port rtoe-GR_blue_node2 of GatewayRouter "blue-gateway-node2" decides',
      'vm3 to outside: icmp IPv4, tcp 22 IPv4, tcp 80 IPv4; node node2 instead of node1, source address 172.18.0.12 instead of 172.18.0.11; Logical_Router_Static_Route GR_blue_node2 0.0.0.0/0 of GatewayRouter "blue-gateway-node2" decides',
    ],
  ],
  [
    "a removed egress node",
    declared({
      ...base,
      network: { ...network, nodes: without(network.nodes, "node1") as Layer2NetworkArgs["nodes"], workloads: without(network.workloads!, "vm1") },
      own: { node2: own.node2! },
    }),
    [
      "Lost",
      'outside, at node1, vm2 to 172.18.0.50: icmp IPv4, tcp 22 IPv4, tcp 80 IPv4; Logical_Switch_Port br-ex_blue_node1 of GatewayRouter "blue-gateway-node1" no longer decides',
      "vm1 to 172.18.0.50, outside, vm2, vm3: icmp IPv4, tcp 22 IPv4, tcp 80 IPv4; vm1 is removed",
      "vm1 to 203.203.255.1: tcp 80 IPv4; vm1 is removed",
      "vm2, vm3 to vm1: icmp IPv4, tcp 22 IPv4, tcp 80 IPv4; vm1 is removed",
      'vm3 to 172.18.0.50: icmp IPv4, tcp 22 IPv4, tcp 80 IPv4; Logical_Router_Port rtoe-GR_blue_node2 of GatewayRouter "blue-gateway-node2" decides',
      "Another way",
      'vm3 to outside: icmp IPv4, tcp 22 IPv4, tcp 80 IPv4; node node2 instead of node1, source address 172.18.0.12 instead of 172.18.0.11; Logical_Router_Static_Route GR_blue_node2 0.0.0.0/0 of GatewayRouter "blue-gateway-node2" decides',
    ],
  ],
  [
    "a wrong next hop of a policy",
    withOwn("node2", { egress: policy(100, "ip4.src == 203.203.0.23", ["100.88.0.99"]) }),
    [
      "Another way",
      'vm3 to 172.18.0.50: icmp IPv4, tcp 22 IPv4, tcp 80 IPv4; source address 172.18.0.12 instead of 172.18.0.11; Logical_Router_Port rtoe-GR_blue_node2 of GatewayRouter "blue-gateway-node2" decides',
      'vm3 to outside: icmp IPv4, tcp 22 IPv4, tcp 80 IPv4; node node2 instead of node1, source address 172.18.0.12 instead of 172.18.0.11; Logical_Router_Static_Route GR_blue_node2 0.0.0.0/0 of GatewayRouter "blue-gateway-node2" decides',
    ],
  ],
  [
    "an overlapping policy",
    withOwn("node2", { ...own.node2!, more: policy(200, "ip4.src == 203.203.0.0/24", ["100.88.0.5"]) }),
    [
      "Another way",
      'vm2 to 172.18.0.50: icmp IPv4, tcp 22 IPv4, tcp 80 IPv4; source address 172.18.0.11 instead of 172.18.0.12; Logical_Router_Policy more of NorthboundRows "own-node2" decides',
      'vm2 to outside: icmp IPv4, tcp 22 IPv4, tcp 80 IPv4; node node1 instead of node2, source address 172.18.0.11 instead of 172.18.0.12; Logical_Router_Policy more of NorthboundRows "own-node2" decides',
    ],
  ],
  [
    "a backend that does not exist",
    withRules({ web: balancer({ "203.203.255.1:80": "203.203.0.99:80" }) }),
    ["Lost", 'vm1 to 203.203.255.1: tcp 80 IPv4; Logical_Switch_Port vm2 of WorkloadPorts "blue-workloads-node1" no longer decides'],
  ],
  [
    "another backend",
    withRules({ web: balancer({ "203.203.255.1:80": "203.203.0.23:80" }) }),
    [
      "Another way",
      'vm1 to 203.203.255.1: tcp 80 IPv4; receiver vm3 instead of vm2, backends 203.203.0.23:80 instead of 203.203.0.22:80; Logical_Switch_Port vm3 of WorkloadPorts "blue-workloads-node1" decides',
    ],
  ],
  [
    "a load balancer's port",
    withRules({ web: balancer({ "203.203.255.1:81": "203.203.0.22:80" }) }),
    [
      "Lost",
      'vm1 to 203.203.255.1: tcp 80 IPv4; Load_Balancer web of NorthboundRows "rules-node1" no longer decides',
      "Gained",
      'vm1 to 203.203.255.1: tcp 81 IPv4; Load_Balancer web of NorthboundRows "rules-node1" decides',
      "Not known after the update",
      'vm2, vm3 to 203.203.255.1: tcp 81 IPv4; Load_Balancer web of NorthboundRows "rules-node2" decides',
    ],
  ],
  [
    "a removed workload",
    withNetwork({ workloads: without(network.workloads!, "vm3") as never }),
    [
      "Lost",
      "vm1, vm2 to vm3: icmp IPv4, tcp 22 IPv4, tcp 80 IPv4; vm3 is removed",
      "vm3 to 172.18.0.50, outside, vm1: icmp IPv4, tcp 22 IPv4, tcp 80 IPv4; vm3 is removed",
      "vm3 to vm2: icmp IPv4, tcp 80 IPv4; vm3 is removed",
    ],
  ],
  [
    "a new workload",
    withNetwork({ workloads: { ...network.workloads, vm4: { node: "node1", addresses: ["203.203.0.24"] } } }),
    [
      "Gained",
      "vm1, vm2, vm3 to vm4: icmp IPv4, tcp 22 IPv4, tcp 80 IPv4; vm4 is new",
      "vm4 to 172.18.0.50, outside, vm1, vm3: icmp IPv4, tcp 22 IPv4, tcp 80 IPv4; vm4 is new",
      "vm4 to 203.203.255.1: tcp 80 IPv4; vm4 is new",
      "vm4 to vm2: icmp IPv4, tcp 80 IPv4; vm4 is new",
    ],
  ],
  [
    "a workload that moves",
    withNetwork({ workloads: { ...network.workloads, vm2: { node: "node1", addresses: ["203.203.0.22"] } } }),
    [
      "Another way",
      'vm2 to 172.18.0.50: icmp IPv4, tcp 22 IPv4, tcp 80 IPv4; source address 172.18.0.11 instead of 172.18.0.12; Logical_Switch_Port stotr-blue_ovn_layer2_switch of Layer2Gateway "blue-topology-node1" decides',
      'vm2 to outside: icmp IPv4, tcp 22 IPv4, tcp 80 IPv4; node node1 instead of node2, source address 172.18.0.11 instead of 172.18.0.12; Logical_Switch_Port stotr-blue_ovn_layer2_switch of Layer2Gateway "blue-topology-node1" decides',
    ],
  ],
  [
    "another external address",
    withNetwork({ nodes: { ...network.nodes, node2: { id: 3, external: external(13) } } }),
    [
      "Another way",
      'vm2 to 172.18.0.50, outside: icmp IPv4, tcp 22 IPv4, tcp 80 IPv4; source address 172.18.0.13 instead of 172.18.0.12; Logical_Switch_Port etor-GR_blue_node2 of GatewayRouter "blue-gateway-node2" decides',
    ],
  ],
];

it.each(HURTING)("reports %s", async (_title, after, expected) => {
  expect(await effects(after)).toEqual(expected);
});

const reversed = (entries: Entries): Entries => Object.fromEntries(Object.entries(entries).reverse());
const HARMLESS: readonly (readonly [title: string, after: Declared[]])[] = [
  ["the same program", declared(base)],
  ["another order of entries", declared({ ...base, rules: reversed(rules) })],
  ["renamed resources", declared(base, "-new")],
  ["ports as a set", withRules({ drop: acl(1000, 'outport == "vm2" && tcp.dst == {22}', "drop") })],
  ["a match with its parts in another order", withRules({ drop: acl(1000, 'tcp.dst == 22 && outport == "vm2"', "drop") })],
  [
    "other priorities in the same order",
    withRules({
      drop: acl(1500, 'outport == "vm2" && tcp.dst == 22', "drop"),
      admin: acl(1600, 'ip4.src == 203.203.0.21 && outport == "vm2" && tcp.dst == 22', "allow-related"),
    }),
  ],
  ["an ACL that allows what passes", withRules({ more: acl(900, 'outport == "vm3" && tcp.dst == 80', "allow-related") })],
  ["an ACL against nobody", withRules({ more: acl(900, "ip4.src == 192.0.2.1", "drop") })],
  ["an ACL below a stronger one", withRules({ more: acl(500, 'outport == "vm2" && tcp.dst == 22', "allow-related") })],
  ["an address as a prefix", withRules({ admin: acl(1001, 'ip4.src == 203.203.0.21/32 && outport == "vm2" && tcp.dst == 22', "allow-related") })],
  ["a policy for nobody", withOwn("node2", { ...own.node2!, more: policy(200, "ip4.src == 192.0.2.1", ["100.88.0.5"]) })],
  ["another priority of a policy", withOwn("node2", { egress: policy(101, "ip4.src == 203.203.0.23", ["100.88.0.5"]) })],
  ["a load balancer's name", withRules({ web: { ...rules.web!, columns: { ...rules.web!.columns, name: "web2" } } })],
  ["a description", withRules({ drop: { ...rules.drop!, columns: { ...rules.drop!.columns, external_ids: { why: "no ssh" } } } })],
  ["a node without workloads", withNetwork({ nodes: { ...network.nodes, node3: { id: 4, external: external(14) } } })],
];

it.each(HARMLESS)("reports nothing for %s", async (_title, after) => {
  expect(await effects(after)).toEqual([]);
});

it("does not delete a renamed network without an alias, whose update fails before", async () => {
  const rows = declared(base).filter(({ kind }) => kind === "NorthboundRows");
  const { effects: found, impact, omissions } = await reported([...networkResources("other", expandLayer2Network(network)), ...rows]);
  expect([found, impact]).toEqual([[], []]);
  const left = ["node1", "node2"].map((zone) => ({ zone, resource: "the deletion of 4 resources", why: "the update fails before it" }));
  expect(omissions.filter(({ resource }) => resource.startsWith("the deletion"))).toEqual(left);
  const hint = expect.stringMatching(/^OVN_\w+: .* if the resource was renamed, set its option aliases: \[\{ name: "blue-switch-node1" \}\]/);
  expect(omissions.find(({ resource }) => resource.startsWith("Layer2Switch"))?.why).toEqual(hint);
});
