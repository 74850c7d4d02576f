import { everyNode, inState } from "../upgrade-stack";
import { planStages, type Settings, settingsAfter } from "@pulumi-ovn/cli/upgrade";
import { egressNetworkOf, expandEgressIPPolicy, expandLayer2Network, type Layer2NetworkArgs } from "@pulumi-ovn/provider";
import type { LivePolicy } from "../live-network";
import { type Declared, partsOf } from "../planned";

export type Entry = { readonly table: string; readonly columns: Record<string, unknown>; readonly references?: object; readonly parent?: object };
export type Entries = Readonly<Record<string, Entry>>;

export const SWITCH = "blue_ovn_layer2_switch";
export const TRANSIT_ROUTER = "blue_transit_router";
const gatewayRouter = (node: string): string => `GR_blue_${node}`;

/** Rows of a zone that no component makes. */
export const rowsIn = (zone: string, entries: Entries, name = "rules"): Declared[] =>
  Object.keys(entries).length === 0 ? [] : [{ kind: "NorthboundRows", name: `${name}-${zone}`, args: { zone, entries } }];

/** A network with egress policies. */
export function networkOf(args: Layer2NetworkArgs, policies: readonly LivePolicy[] = []): Declared[] {
  const network = expandLayer2Network(args);
  return [
    ...partsOf(args),
    ...policies.flatMap((policy) => {
      const { addresses, reroutes } = expandEgressIPPolicy({ ...policy, network: egressNetworkOf(network) });
      return [
        ...addresses.map(({ node, args: own }) => ({ kind: "EgressAddress", name: `${policy.name}-${own.address}-${node}`, args: own })),
        ...Object.entries(reroutes).map(([zone, own]) => ({ kind: "EgressReroute", name: `${policy.name}-${zone}`, args: own })),
      ];
    }),
  ];
}

const ROUTE = { order: ["node1", "node2", "node3"], batch: 1 };
const walk = (from: Settings, back: boolean): (readonly [title: string, settings: Settings])[] => {
  let settings = from;
  return planStages(from, { ...ROUTE, back }).map((stage) => {
    settings = settingsAfter(settings, stage);
    return [`${back ? "back" : "there"}: ${stage.title}`, settings] as const;
  });
};

/** All stages of an upgrade there and back. */
export const STAGES: readonly (readonly [title: string, settings: Settings])[] = [
  ["the gateway topology", { upgrade: undefined, nodes: everyNode("gateway") }],
  ...walk({ upgrade: undefined, nodes: everyNode("gateway") }, false),
  ...walk({ upgrade: undefined, nodes: everyNode("transit") }, true),
];

export const acl = (priority: number, match: string, action: string, direction = "to-lport"): Entry => ({
  table: "ACL",
  columns: { direction, priority, match, action },
  parent: { table: "Logical_Switch", row: SWITCH, column: "acls" },
});
export const balancer = (name: string, protocol: string, vips: Record<string, string>, parent: object): Entry => ({
  table: "Load_Balancer",
  columns: { name, protocol, vips },
  parent: { ...parent, column: "load_balancer" },
});
export const floating = (node: string, external_ip: string, logical_ip: string): Entry => ({
  table: "NAT",
  columns: { type: "dnat_and_snat", external_ip, logical_ip },
  parent: { table: "Logical_Router", row: gatewayRouter(node), column: "nat" },
});

/** Rules with address sets and port groups, floating addresses, load balancers of the switch and of a gateway router. */
const rulesOf = (zone: string): Entries => ({
  friends: { table: "Address_Set", columns: { name: "friends", addresses: ["203.203.0.17", "203.203.0.18"] } },
  friends6: { table: "Address_Set", columns: { name: "friends6", addresses: ["2010:100:200::11"] } },
  guarded: { table: "Port_Group", columns: { name: "guarded" }, references: { ports: ["vm3"] } },
  in4: {
    ...acl(1001, "outport == @guarded && ip4.src == $friends && tcp.dst == {22, 443}", "allow-related"),
    parent: { table: "Port_Group", row: "guarded", column: "acls" },
  },
  in6: {
    ...acl(1001, "outport == @guarded && ip6.src == $friends6 && udp.dst == 53", "allow-related"),
    parent: { table: "Port_Group", row: "guarded", column: "acls" },
  },
  deny: { ...acl(1000, "outport == @guarded && (tcp || udp)", "drop"), parent: { table: "Port_Group", row: "guarded", column: "acls" } },
  out: acl(900, 'inport == "vm2" && ip4 && udp.dst == 53', "reject", "from-lport"),
  web: balancer(
    "web",
    "tcp",
    { "203.203.255.1:80": "203.203.0.18:443", "[2010:100:200::ff:1]:80": "[2010:100:200::12]:443" },
    { table: "Logical_Switch", row: SWITCH },
  ),
  ...(zone === "node1" && {
    float: floating("node1", "172.18.0.51", "203.203.0.17"),
    float6: floating("node1", "fc00:f853:ccd:e793::51", "2010:100:200::11"),
    service: balancer("service", "tcp", { "172.18.0.11:443": "203.203.0.18:443" }, { table: "Logical_Router", row: gatewayRouter("node1") }),
  }),
});

const POLICY: LivePolicy = {
  name: "egress",
  workloads: ["vm2"],
  addresses: { "172.18.0.203": "node3", "fc00:f853:ccd:e793::cb": "node3" },
};

/** The network with rules in a state of its upgrade. */
export const ruled = (settings: Settings, change: Partial<Layer2NetworkArgs> = {}): Declared[] => {
  const network = inState(settings, change);
  return [...networkOf(network, [POLICY]), ...Object.keys(network.nodes).flatMap((zone) => rowsIn(zone, rulesOf(zone)))];
};
