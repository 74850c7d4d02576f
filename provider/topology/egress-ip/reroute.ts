import { z } from "zod";
import { type Family, parseIp } from "../../address";
import type { Rendered, RowKind } from "../../kind";
import type { DesiredRow } from "../../rows/rowset";
import { Failures, propertyPath } from "../failures";
import { byName, common, destination, inOrder, ips, name, names, packetMark, readPrefix, requiredIps, rowReference, schemaOf } from "../fields";
import { Holders } from "../holders";
import { routingPolicy } from "../routing";
import { type TopologyArgs, foreign, listedIn, local, rowSet, sortedEntries, textMap } from "../rows";
import { NEXT_HOPS_KEY, formatNextHops } from "./next-hops";

/** The way of a zone's workloads to their egress addresses, over the zone's part of the transit router. */
export interface EgressRerouteArgs extends TopologyArgs {
  /** Name of the policy: part of keys and of the names of address sets, so unique in the zone. */
  policy: string;
  /** The transit router (UUID or name); the gateway router while the zone's node is on the old topology. */
  router: string;
  /** The layer-2 switch: UUID or name. */
  switch: string;
  /** Workloads by name; their order means nothing. */
  workloads: Record<string, EgressWorkloadArgs>;
  /**
   * Next hops by node, of each family at most one: transit addresses of the gateway routers, the join address of a node
   * that is on the old topology. New connections are spread over all of a family. OVN leaves out one that is on no
   * port, and does not notice when one is dead.
   */
  nextHops: Record<string, string[]>;
  /** Destinations that are not rerouted: the network's own subnets, join and transit subnets, addresses of the nodes. */
  keep: string[];
  /**
   * Let answers to connections that began outside go back the way they came instead of out with the egress address.
   * It makes the switch stateful: an ACL that matches nothing, without which OVN tracks no connections there.
   * Default: true.
   */
  replies?: boolean;
  /** The mark of such answers, inside of the zone only. 1 to 4294967295. Default: 42. */
  replyMark?: number;
}

export interface EgressWorkloadArgs {
  /** Addresses without masks. */
  addresses: string[];
  /** The nodes among `nextHops` that it leaves through. Default: all. For a workload of another zone: only this zone's own. */
  through?: string[];
}

export const DEFAULT_REPLY_MARK = 42;

const schema = schemaOf<EgressRerouteArgs>()(
  z.strictObject({
    ...common,
    policy: name,
    router: rowReference,
    switch: rowReference,
    workloads: byName(z.strictObject({ addresses: requiredIps, through: names.optional() })),
    nextHops: byName(ips),
    keep: z.array(destination),
    replies: z.boolean().default(true),
    replyMark: packetMark.default(DEFAULT_REPLY_MARK),
  }),
);
type Spec = z.output<typeof schema>;
type Hops = readonly (readonly [node: string, address: string])[];

/** As ovn-kubernetes: policies above the rerouting ones, the mark ahead of other marks. */
const REROUTE_PRIORITY = 100;
const KEEP_PRIORITY = 102;
const REPLY_PRIORITY = 103;
/** Ahead of the mark for replies. */
const UNMARKED_PRIORITY = 104;

function render(args: Spec): Rendered {
  check(args);
  const families = ([4, 6] as const).filter((family) => served(args, family).length > 0);
  const policies = families.flatMap((family) => reroutes(args, family));
  const rows = [...policies, ...families.flatMap((family) => kept(args, family)), ...(args.replies ? replies(args, families) : [])];
  return { set: rowSet("OVN_Northbound", rows, args), primary: local(policies[0]!.table, policies[0]!.key) };
}

function check(args: Spec): void {
  const failures = new Failures();
  if (Object.keys(args.workloads).length === 0) failures.add("workloads", "required", "needs at least one workload");
  if (args.replyMark === 0) failures.add("replyMark", "out-of-range", "0 means that a packet has no mark");
  for (const [node, hops] of sortedEntries(args.nextHops)) {
    const families = hops.map((hop) => parseIp(hop).family);
    if (new Set(families).size < families.length) failures.add(propertyPath(["nextHops", node]), "duplicate", "only one next hop of each family is possible here");
  }
  const holders = new Holders(failures);
  for (const [key, { addresses, through = [] }] of sortedEntries(args.workloads)) {
    const at = (...path: PropertyKey[]) => propertyPath(["workloads", key, ...path]);
    through.forEach((node, index) => {
      if (!Object.hasOwn(args.nextHops, node)) failures.add(at("through", index), "unknown-node", `"${node}" is not one of nextHops: ${Object.keys(args.nextHops).sort().join(", ")}`);
    });
    addresses.forEach((address, index) => {
      holders.claim("address", address, key, at("addresses", index));
      const { family } = parseIp(address);
      if (hopsOf(args, key, family).length === 0) failures.add(at("addresses", index), "family", `there is no IPv${family} next hop for ${address}`);
      if (!args.keep.some((text) => readPrefix(text).family === family)) failures.add("keep", "required", `needs the network's IPv${family} subnet: packets inside of the network must not be rerouted`);
    });
  }
  failures.throwIfAny();
}

function hopsOf({ workloads, nextHops }: Spec, workload: string, family: Family): Hops {
  const { through } = workloads[workload]!;
  return sortedEntries(nextHops).flatMap(([node, hops]) => {
    if (through !== undefined && !through.includes(node)) return [];
    return hops.filter((hop) => parseIp(hop).family === family).map((hop) => [node, hop] as const);
  });
}

/** Addresses of a family with the names of their workloads. */
function served({ workloads }: Spec, family: Family): [workload: string, address: string][] {
  return sortedEntries(workloads).flatMap(([key, { addresses }]) =>
    addresses.filter((address) => parseIp(address).family === family).map((address): [string, string] => [key, address]),
  );
}

function reroutes(args: Spec, family: Family): DesiredRow[] {
  return served(args, family).map(([workload, address]) => {
    const hops = hopsOf(args, workload, family);
    const row = routingPolicy({
      router: foreign(args.router),
      key: `${args.policy} ${REROUTE_PRIORITY} ${address}`,
      priority: REROUTE_PRIORITY,
      match: `ip${family}.src == ${address}`,
      action: "reroute",
      nextHops: hops.map(([, hop]) => hop),
    });
    // The drain command must know which node a next hop belongs to; a row for another zone's workload has nothing to drain.
    if (args.workloads[workload]!.through !== undefined) return row;
    return { ...row, columns: { ...row.columns, external_ids: textMap({ [NEXT_HOPS_KEY]: formatNextHops(hops) }) } };
  });
}

/** Names of address sets are identifiers of match expressions. */
function setName(policy: string, what: string, family: Family): string {
  return `egress_${policy.replace(/[^\w.]/g, ".")}_${what}_ip${family}`;
}

function addressSet(args: Spec, what: string, family: Family, addresses: readonly string[]): DesiredRow {
  const name = setName(args.policy, what, family);
  return { table: "Address_Set", key: `${what} ip${family}`, columns: { name, addresses: [...addresses] } };
}

function kept(args: Spec, family: Family): DesiredRow[] {
  const destinations = inOrder([...new Set(args.keep)].filter((text) => readPrefix(text).family === family));
  return [
    addressSet(args, "served", family, inOrder(served(args, family).map(([, address]) => address))),
    addressSet(args, "kept", family, destinations),
    routingPolicy({
      router: foreign(args.router),
      key: `${args.policy} ${KEEP_PRIORITY} kept ip${family}`,
      priority: KEEP_PRIORITY,
      match: `ip${family}.src == $${setName(args.policy, "served", family)} && ip${family}.dst == $${setName(args.policy, "kept", family)}`,
      action: "allow",
    }),
  ];
}

/**
 * What goes to `keep` is left unmarked: a tunnel of the userspace datapath has no route for marked packets. By a row of
 * its own, because "not in this set" is a product of all its prefixes' bits: a dozen prefixes made ovn-controller
 * write 8,000 flows and stand still for minutes.
 */
function replies(args: Spec, families: readonly Family[]): DesiredRow[] {
  const inSwitch = (column: string) => listedIn("Logical_Switch", foreign(args.switch), column);
  const marking = (family: Family, priority: number, rest: string, mark: number): DesiredRow => ({
    table: "QoS",
    key: `${args.policy} ${priority} ip${family}`,
    columns: { direction: "from-lport", priority, match: `ip${family}.src == $${setName(args.policy, "served", family)} && ${rest}`, action: { map: { mark } } },
    parent: inSwitch("qos_rules"),
  });
  const marks = families.flatMap((family) => [
    marking(family, UNMARKED_PRIORITY, `ip${family}.dst == $${setName(args.policy, "kept", family)}`, 0),
    marking(family, REPLY_PRIORITY, "ct.trk && ct.rpl", args.replyMark),
  ]);
  return [
    ...marks,
    {
      table: "ACL",
      key: `${args.policy} stateful`,
      columns: { direction: "to-lport", priority: 0, match: "0", action: "allow-related" },
      parent: inSwitch("acls"),
    },
    routingPolicy({ router: foreign(args.router), key: `${args.policy} ${KEEP_PRIORITY} replies`, priority: KEEP_PRIORITY, match: `pkt.mark == ${args.replyMark}`, action: "allow" }),
  ];
}

/** The way of a zone's workloads to their egress addresses. */
export const egressReroute: RowKind<Spec> = { name: "EgressReroute", database: "OVN_Northbound", schema, render, outputs: [], replaceOnChange: [] };
