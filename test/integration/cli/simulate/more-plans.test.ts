import { rowUuid } from "@pulumi-ovn/provider/tools";
import type { Declared } from "../../../support/planned";
import { ownerOf } from "../../../support/provider";
import { acl, balancer, declared, type Entries, network, policy, plansFrom, type Stack, SWITCH, without } from "../../../support/simulated-plans";

jest.setTimeout(300_000);

const set = (...addresses: string[]): Entries[string] => ({ table: "Address_Set", columns: { name: "admins", addresses } });
const portIn = (zone: string, name: string) => rowUuid(ownerOf("WorkloadPorts", `blue-workloads-${zone}`), "Logical_Switch_Port", name);
const group = (zone: string, ...ports: string[]): Entries[string] => ({
  table: "Port_Group",
  columns: { name: "quiet" },
  references: { ports: ports.map((name) => portIn(zone, name)) },
});
const route = (ip_prefix: string, nexthop: string): Entries[string] => ({
  table: "Logical_Router_Static_Route",
  columns: { ip_prefix, nexthop },
  parent: { table: "Logical_Router", row: "blue_transit_router", column: "static_routes" },
});
const quality = (effect: object): Entries[string] => ({
  table: "QoS",
  columns: { direction: "to-lport", priority: 100, match: 'outport == "vm2"', ...effect },
  parent: { table: "Logical_Switch", row: SWITCH, column: "qos_rules" },
});
const neighbour = (ip: string): Entries[string] => ({
  table: "Static_MAC_Binding",
  columns: { logical_port: "rtoe-GR_blue_node1", ip, mac: "0a:00:00:00:00:09" },
});

const rules: Entries = {
  admins: set("203.203.0.21"),
  admin: acl(1001, 'ip4.src == $admins && outport == "vm2" && tcp.dst == 22', "allow-related"),
  drop: acl(1000, 'outport == "vm2" && tcp.dst == 22', "drop"),
  quiet: acl(1000, "outport == @quiet && icmp4", "drop"),
  web: balancer({ "203.203.255.1:80": "203.203.0.22:80", "203.203.255.2:80": "203.203.0.23:80" }),
};
const own: Record<string, Entries> = { node1: { quiet: group("node1", "vm3") }, node2: { quiet: group("node2", "vm3") } };
const base: Stack = { network, rules, own };

const { effects, withRules } = plansFrom(base);
const withOwn = (zone: string, change: Entries) => declared({ ...base, own: { ...own, [zone]: { ...own[zone], ...change } } });
const described = (entry: string, columns: object): Entries[string] => ({ ...rules[entry]!, columns: { ...rules[entry]!.columns, ...columns } });
const quietPorts = (...ports: string[]) =>
  declared({ ...base, own: Object.fromEntries(Object.keys(own).map((zone) => [zone, { quiet: group(zone, ...ports) }])) });

const HURTING: readonly (readonly [title: string, after: Declared[], effects: readonly string[]])[] = [
  ["an emptied address set", withRules({ admins: set() }), ["Lost", 'vm1 to vm2: tcp 22 IPv4; ACL drop of NorthboundRows "rules-node2" decides']],
  [
    "an address set with one more address",
    withRules({ admins: set("203.203.0.21", "203.203.0.23") }),
    ["Gained", 'vm3 to vm2: tcp 22 IPv4; ACL admin of NorthboundRows "rules-node2" decides'],
  ],
  [
    "an address set with a prefix that is too wide",
    withRules({ admins: set("203.203.0.20/30") }),
    ["Gained", 'vm3 to vm2: tcp 22 IPv4; ACL admin of NorthboundRows "rules-node2" decides'],
  ],
  ["a port group with one more port", quietPorts("vm1", "vm3"), ["Lost", 'vm2, vm3 to vm1: icmp IPv4; ACL quiet of NorthboundRows "rules-node1" decides']],
  ["a port group without its port", quietPorts(), ["Gained", 'vm1, vm2 to vm3: icmp IPv4; ACL quiet of NorthboundRows "rules-node2" no longer decides']],
  [
    "two policies that overlap with different next hops",
    withOwn("node2", { one: policy(100, "ip4.src == 203.203.0.22/31", ["100.88.0.5"]), two: policy(200, "ip4.src == 203.203.0.23", ["100.88.0.7"]) }),
    [
      "Another way",
      'vm2 to outside: icmp IPv4, tcp 22 IPv4, tcp 80 IPv4; node node1 instead of node2, source address 172.18.0.11 instead of 172.18.0.12; Logical_Router_Policy one of NorthboundRows "own-node2" decides',
      "Not known after the update",
      'vm2 to 203.203.255.2: tcp 80 IPv4; Logical_Router_Policy one of NorthboundRows "own-node2" decides',
      'vm3 to 203.203.255.1: tcp 80 IPv4; Logical_Router_Policy two of NorthboundRows "own-node2" decides',
    ],
  ],
  [
    "isolation from the outside",
    withOwn("node2", {
      no: { ...policy(300, "", []), columns: { priority: 300, match: "ip4.dst == 198.51.100.0/24", action: "drop" } },
    }),
    ["Lost", 'vm2, vm3 to outside: icmp IPv4, tcp 22 IPv4, tcp 80 IPv4; Logical_Router_Policy no of NorthboundRows "own-node2" decides'],
  ],
  [
    "a load balancer that one zone loses",
    declared(base).map((each) => (each.name === "rules-node1" ? { ...each, args: { zone: "node1", entries: without(rules, "web") } } : each)),
    ["Lost", 'vm1 to 203.203.255.1, 203.203.255.2: tcp 80 IPv4; Load_Balancer web of NorthboundRows "rules-node1" no longer decides'],
  ],
  [
    "a sender that may not send",
    withRules({ mute: acl(2000, 'inport == "vm3" && ip4.dst == 203.203.0.21', "drop", "from-lport") }),
    ["Lost", 'vm3 to vm1: icmp IPv4, tcp 22 IPv4, tcp 80 IPv4; ACL mute of NorthboundRows "rules-node2" decides'],
  ],
  [
    "a route by another node",
    withOwn("node2", { way: route("198.51.100.0/24", "100.88.0.5") }),
    [
      "Another way",
      'vm2, vm3 to outside: icmp IPv4, tcp 22 IPv4, tcp 80 IPv4; node node1 instead of node2, source address 172.18.0.11 instead of 172.18.0.12; Logical_Router_Static_Route way of NorthboundRows "own-node2" decides',
    ],
  ],
  [
    "a load balancer of another protocol",
    withRules({ web: described("web", { protocol: "udp" }) }),
    [
      "Lost",
      'vm1 to 203.203.255.1, 203.203.255.2: tcp 80 IPv4; Load_Balancer web of NorthboundRows "rules-node1" no longer decides',
      'vm2 to 203.203.255.2: tcp 80 IPv4; Load_Balancer web of NorthboundRows "rules-node2" no longer decides',
      'vm3 to 203.203.255.1: tcp 80 IPv4; Load_Balancer web of NorthboundRows "rules-node2" no longer decides',
      "Gained",
      'vm1 to 203.203.255.1, 203.203.255.2: udp 80 IPv4; Load_Balancer web of NorthboundRows "rules-node1" decides',
      'vm2 to 203.203.255.2: udp 80 IPv4; Load_Balancer web of NorthboundRows "rules-node2" decides',
      'vm3 to 203.203.255.1: udp 80 IPv4; Load_Balancer web of NorthboundRows "rules-node2" decides',
      "Not known after the update",
      'vm2 to 203.203.255.1: udp 80 IPv4; Load_Balancer web of NorthboundRows "rules-node2" decides',
      'vm3 to 203.203.255.2: udp 80 IPv4; Load_Balancer web of NorthboundRows "rules-node2" decides',
    ],
  ],
];

it.each(HURTING)("reports %s", async (_title, after, expected) => {
  expect(await effects(after)).toEqual(expected);
});

const HARMLESS: readonly (readonly [title: string, after: Declared[]])[] = [
  [
    "a renamed address set",
    withRules({
      admins: { table: "Address_Set", columns: { name: "operators", addresses: ["203.203.0.21"] } },
      admin: acl(1001, 'ip4.src == $operators && outport == "vm2" && tcp.dst == 22', "allow-related"),
    }),
  ],
  ["an address set with the address of no port", withRules({ admins: set("203.203.0.21", "203.203.9.9") })],
  ["a prefix in an address set", withRules({ admins: set("203.203.0.20/31") })],
  ["an address set written as a match", withRules({ admin: acl(1001, 'ip4.src == 203.203.0.21 && outport == "vm2" && tcp.dst == 22', "allow-related") })],
  ["a port group written as a match", withRules({ quiet: acl(1000, 'outport == "vm3" && icmp4', "drop") })],
  [
    "one ACL as two",
    withRules({
      quiet: acl(1000, "outport == @quiet && ip4.src == 203.203.0.0/24 && icmp4", "drop"),
      rest: acl(1000, "outport == @quiet && ip4.src != 203.203.0.0/24 && icmp4", "drop"),
    }),
  ],
  ["a limit of bandwidth", withRules({ quality: quality({ bandwidth: { rate: 1000 } }) })],
  ["a mark for quality of service", withRules({ quality: quality({ action: { dscp: 10 } }) })],
  ["a static neighbour outside", withOwn("node1", { neighbour: neighbour("172.18.0.1") })],
  ["logged drops", withRules({ drop: described("drop", { log: true, severity: "info", name: "no-ssh" }) })],
  ["a description of a set", withRules({ admins: described("admins", { external_ids: { why: "on call" } }) })],
  ["a route to an unused prefix", withOwn("node2", { more: route("192.0.2.0/24", "100.88.0.5") })],
  ["a route that no port leads to", withOwn("node2", { lost: route("198.51.100.0/24", "100.88.0.99") })],
  [
    "one load balancer as two",
    withRules({
      web: balancer({ "203.203.255.1:80": "203.203.0.22:80" }),
      web2: { ...balancer({}), columns: { name: "web2", protocol: "tcp", vips: { "203.203.255.2:80": "203.203.0.23:80" } } },
    }),
  ],
  ["a subnet that shrinks around its workloads", declared({ ...base, network: { ...network, subnets: ["203.203.0.0/27"] } })],
];

it.each(HARMLESS)("reports nothing for %s", async (_title, after) => {
  expect(await effects(after)).toEqual([]);
});
