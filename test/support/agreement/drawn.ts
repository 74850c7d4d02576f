import fc from "fast-check";
import type { Layer2NetworkArgs } from "@pulumi-ovn/provider";
import type { LivePolicy } from "../live-network";
import type { Declared } from "../planned";
import { inState } from "../upgrade-stack";
import { balancer, type Entries, type Entry, floating, networkOf, rowsIn, STAGES, SWITCH, TRANSIT_ROUTER } from "./stacks";

/** Workloads of the sandbox that are not in every network. */
const MORE = [4, 5, 6];
const NODES = ["node1", "node2", "node3"];
const node = (index: number): string => NODES[(index - 1) % 3]!;
const four = (index: number): string => `203.203.0.${16 + index}`;
const six = (index: number): string => `2010:100:200::${(16 + index).toString(16)}`;

type Topology = { readonly stage: number; readonly more: readonly number[]; readonly families: readonly ("both" | "4" | "6")[] };

const topology: fc.Arbitrary<Topology> = fc.record({
  stage: fc.nat(STAGES.length - 1),
  more: fc.subarray(MORE),
  families: fc.array(fc.constantFrom("both", "both", "4", "6"), { minLength: 6, maxLength: 6 }),
});

type Drawn<Arbitrary> = Arbitrary extends fc.Arbitrary<infer T> ? T : never;
type Egress = Drawn<typeof egress>;

const index = fc.integer({ min: 1, max: 6 });
const port = fc.constantFrom(22, 80, 443);
const side = (direction: string) => (direction === "to-lport" ? "outport" : "inport");

const place = (direction: string): fc.Arbitrary<string> =>
  fc.oneof(
    index.map((each) => `${side(direction)} == "vm${each}"`),
    fc.constant(`${side(direction)} == @drawn`),
  );
const packets: fc.Arbitrary<string> = fc.oneof(
  index.map((each) => `ip4.src == ${four(each)}`),
  index.map((each) => `ip6.dst == ${six(each)}`),
  fc.constantFrom("ip4.src == $drawn4", "ip6.src == $drawn6", "ip4.src != $drawn4", "ip4.dst == 203.203.0.0/28", "ip4", "ip6", "icmp4", "icmp6", "udp"),
  port.map((each) => `tcp.dst == ${each}`),
  port.map((each) => `tcp.dst != ${each} && tcp`),
  fc.constant("udp.dst == {53, 5353}"),
);

const acl: fc.Arbitrary<{ readonly direction: string; readonly match: string; readonly action: string; readonly group: boolean }> = fc
  .constantFrom("to-lport", "from-lport")
  .chain((direction) =>
    fc.record({
      direction: fc.constant(direction),
      match: fc
        .tuple(fc.option(place(direction)), fc.uniqueArray(packets, { minLength: 1, maxLength: 2 }))
        .map(([at, own]) => [...(at ? [at] : []), ...own].join(" && ")),
      action: fc.constantFrom("allow", "allow-related", "allow-related", "allow-stateless", "drop", "drop", "reject"),
      group: fc.boolean(),
    }),
  );

const rules = fc.record({
  acls: fc.array(acl, { maxLength: 6 }),
  group: fc.subarray([1, 2, 3, 4, 5, 6]),
  set4: fc.subarray([1, 2, 3, 4], { minLength: 1 }),
  set6: fc.subarray([1, 2, 5, 6], { minLength: 1 }),
  /** Zones without the ACLs. */
  without: fc.subarray(NODES, { maxLength: 1 }),
});

const egress = fc.record({ workloads: fc.subarray([1, 2, 3], { minLength: 1 }), at: fc.constantFrom(...NODES), other: fc.boolean() });

const services = fc.record({
  floating: fc.subarray([1, 2, 3]),
  balancers: fc.array(fc.record({ backend: index, port, at: fc.constantFrom("switch", "node1", "node2") }), { maxLength: 2 }),
  policies: fc.array(fc.record({ from: index, outside: fc.boolean(), action: fc.constantFrom("drop", "allow") }), { maxLength: 2 }),
  egress: fc.option(egress),
});

/** A network as drawn at random: topology, stage of the upgrade, ACLs, policies, translations, load balancers, egress. */
export const drawnNetwork: fc.Arbitrary<Declared[]> = fc.tuple(topology, rules, services).map(([drawn, ruled, served]) => {
  const [, settings] = STAGES[drawn.stage]!;
  const present = [1, 2, 3, ...drawn.more];
  const addressesOf = (each: number) => {
    const family = drawn.families[each - 1];
    return [...(family === "6" ? [] : [four(each)]), ...(family === "4" ? [] : [six(each)])];
  };
  const workloads = Object.fromEntries(present.map((each) => [`vm${each}`, { node: node(each), addresses: addressesOf(each), mac: macOf(each) }]));
  const network: Layer2NetworkArgs = inState(settings, { workloads });
  const policies = served.egress === null ? [] : [egressOf(served.egress, (each) => addressesOf(each))];
  return [
    ...networkOf(network, policies),
    ...NODES.flatMap((zone) => rowsIn(zone, { ...rulesOf(zone, present, ruled), ...servicesOf(zone, served, settings.nodes) }, "drawn")),
  ];
});

/** A policy with external addresses of the families that its workloads have. */
function egressOf({ workloads, at, other }: Egress, addressesOf: (workload: number) => readonly string[]): LivePolicy {
  const external = { "172.18.0.203": at, "fc00:f853:ccd:e793::cb": other ? "node1" : at };
  const has = (separator: string) => workloads.some((each) => addressesOf(each).some((address) => address.includes(separator)));
  const addresses = Object.entries(external).filter(([address]) => has(address.includes(":") ? ":" : "."));
  return { name: "egress", workloads: workloads.map((each) => `vm${each}`), addresses: Object.fromEntries(addresses) };
}

const macOf = (each: number): string => `0a:58:cb:cb:00:${(16 + each).toString(16)}`;

function rulesOf(zone: string, present: readonly number[], { acls, group, set4, set6, without }: Drawn<typeof rules>): Entries {
  const own = acls.map(({ direction, match, action, group: grouped }, order): [string, Entry] => [
    `acl${order}`,
    {
      table: "ACL",
      // OVN chooses any of several matching rules with the same priority.
      columns: { direction, priority: 1_100 - order, match, action },
      parent: grouped ? { table: "Port_Group", row: "drawn", column: "acls" } : { table: "Logical_Switch", row: SWITCH, column: "acls" },
    },
  ]);
  return {
    drawn: {
      table: "Port_Group",
      columns: { name: "drawn" },
      references: { ports: group.filter((each) => present.includes(each)).map((each) => `vm${each}`) },
    },
    drawn4: { table: "Address_Set", columns: { name: "drawn4", addresses: set4.map(four) } },
    drawn6: { table: "Address_Set", columns: { name: "drawn6", addresses: set6.map(six) } },
    ...(without.includes(zone) ? {} : Object.fromEntries(own)),
  };
}

function servicesOf(zone: string, served: Drawn<typeof services>, topologies: Readonly<Record<string, string>>): Entries {
  const balancers = served.balancers.flatMap(({ backend, port: own, at }, order): [string, Entry][] => {
    if (at !== "switch" && at !== zone) return [];
    const vip = at === "switch" ? `203.203.255.1:${own + order}` : `172.18.0.${10 + Number(at.slice(4))}:${own + order}`;
    const parent = at === "switch" ? { table: "Logical_Switch", row: SWITCH } : { table: "Logical_Router", row: `GR_blue_${zone}` };
    return [[`balancer${order}`, balancer(`balancer${order}`, "tcp", { [vip]: `${four(backend)}:443` }, parent)]];
  });
  const translations = served.floating
    .filter((each) => node(each) === zone)
    .map((each): [string, Entry] => [`floating${each}`, floating(zone, `172.18.0.${50 + each}`, four(each))]);
  const policies = served.policies.map(({ from, outside, action }, order): [string, Entry] => [
    `policy${order}`,
    {
      table: "Logical_Router_Policy",
      columns: { priority: 200 + order, match: `ip4.src == ${four(from)}${outside ? " && ip4.dst == 198.51.100.7" : ""}`, action },
      parent: { table: "Logical_Router", row: TRANSIT_ROUTER, column: "policies" },
    },
  ]);
  return Object.fromEntries([...balancers, ...translations, ...(topologies[zone] === "transit" ? policies : [])]);
}
