import type { Family } from "../../../kit/address";
import type { DesiredRow } from "../../../backends/rows/set";
import { inOrder, readPrefix } from "../fields";
import { identifier } from "../naming";
import { type PolicyRow, routingPolicy } from "../routing";
import { foreign, listedIn, textMap } from "../rows";
import { NEXT_HOPS_KEY, formatNextHops } from "./next-hops";
import { type PolicyRouter, hopsOf, policyRoutersOf, served } from "./policy-routers";
import type { EgressRerouteSpec } from "./reroute-args";

/** As ovn-kubernetes: policies above the rerouting ones, the mark ahead of other marks. */
const REROUTE_PRIORITY = 100;
const KEEP_PRIORITY = 102;
const REPLY_PRIORITY = 103;
/** Ahead of the mark for replies. */
const UNMARKED_PRIORITY = 104;

/** Rows of the switch, and the address sets, exist once, for any number of routers with the policies. */
export function rerouteRows(args: EgressRerouteSpec): DesiredRow[] {
  const families = ([4, 6] as const).filter((family) => served(args, family).length > 0);
  const routers = policyRoutersOf(args);
  return [
    ...routers.flatMap((policyRouter) => families.flatMap((family) => reroutes(policyRouter, args, family))),
    ...families.flatMap((family) => [...addressSets(args, family), ...routers.flatMap((policyRouter) => kept(policyRouter, args, family))]),
    ...(args.replies ? [...marks(args, families), stateful(args), ...routers.map((policyRouter) => answers(policyRouter, args))] : []),
  ];
}

function policyOn(
  { router, suffix, condition, marks }: PolicyRouter,
  { key, match, ...policy }: Omit<PolicyRow, "router">,
  notes: Readonly<Record<string, string>> = {},
): DesiredRow {
  const row = routingPolicy({ router: foreign(router), key: `${key}${suffix}`, match: `${condition}${match}`, ...policy });
  const ids = { ...marks, ...notes };
  return Object.keys(ids).length === 0 ? row : { ...row, columns: { ...row.columns, external_ids: textMap(ids) } };
}

function reroutes(policyRouter: PolicyRouter, args: EgressRerouteSpec, family: Family): DesiredRow[] {
  return served(args, family).flatMap(([workload, address]) => {
    const hops = hopsOf(policyRouter, args, workload, family);
    if (hops.length === 0) return [];
    const key = `${args.policy} ${REROUTE_PRIORITY} ${address}`;
    const policy = {
      key,
      priority: REROUTE_PRIORITY,
      match: `ip${family}.src == ${address}`,
      action: "reroute" as const,
      nextHops: hops.map(([, hop]) => hop),
    };
    // The drain command must know which node a next hop belongs to; a row for another zone's workload has nothing to drain.
    return [policyOn(policyRouter, policy, args.workloads[workload]!.through === undefined ? { [NEXT_HOPS_KEY]: formatNextHops(hops) } : {})];
  });
}

/** How the names of a policy's address sets begin: they are identifiers of match expressions. */
export function setPrefix(policy: string): string {
  return `egress_${identifier(policy)}_`;
}

function setName(policy: string, what: string, family: Family): string {
  return `${setPrefix(policy)}${what}_ip${family}`;
}

function addressSet(args: EgressRerouteSpec, what: string, family: Family, addresses: readonly string[]): DesiredRow {
  const name = setName(args.policy, what, family);
  return { table: "Address_Set", key: `${what} ip${family}`, columns: { name, addresses: [...addresses] } };
}

function addressSets(args: EgressRerouteSpec, family: Family): DesiredRow[] {
  const destinations = inOrder([...new Set(args.keep)].filter((text) => readPrefix(text).family === family));
  return [addressSet(args, "served", family, inOrder(served(args, family).map(([, address]) => address))), addressSet(args, "kept", family, destinations)];
}

function kept(policyRouter: PolicyRouter, args: EgressRerouteSpec, family: Family): DesiredRow[] {
  if (!served(args, family).some(([workload]) => hopsOf(policyRouter, args, workload, family).length > 0)) return [];
  const match = `ip${family}.src == $${setName(args.policy, "served", family)} && ip${family}.dst == $${setName(args.policy, "kept", family)}`;
  return [policyOn(policyRouter, { key: `${args.policy} ${KEEP_PRIORITY} kept ip${family}`, priority: KEEP_PRIORITY, match, action: "allow" })];
}

function answers(policyRouter: PolicyRouter, { policy, replyMark }: EgressRerouteSpec): DesiredRow {
  return policyOn(policyRouter, { key: `${policy} ${KEEP_PRIORITY} replies`, priority: KEEP_PRIORITY, match: `pkt.mark == ${replyMark}`, action: "allow" });
}

/**
 * Packets to `keep` are left unmarked: a tunnel of the userspace datapath has no route for marked packets. A separate
 * row does this, because "not in this set" is a product of all its prefixes' bits: a dozen prefixes made ovn-controller
 * write 8,000 flows and stop responding for minutes.
 */
function marks(args: EgressRerouteSpec, families: readonly Family[]): DesiredRow[] {
  const marking = (family: Family, priority: number, rest: string, mark: number): DesiredRow => ({
    table: "QoS",
    key: `${args.policy} ${priority} ip${family}`,
    columns: {
      direction: "from-lport",
      priority,
      match: `ip${family}.src == $${setName(args.policy, "served", family)} && ${rest}`,
      action: { map: { mark } },
    },
    parent: listedIn("Logical_Switch", foreign(args.switch), "qos_rules"),
  });
  return families.flatMap((family) => [
    marking(family, UNMARKED_PRIORITY, `ip${family}.dst == $${setName(args.policy, "kept", family)}`, 0),
    marking(family, REPLY_PRIORITY, "ct.trk && ct.rpl", args.replyMark),
  ]);
}

function stateful(args: EgressRerouteSpec): DesiredRow {
  return {
    table: "ACL",
    key: `${args.policy} stateful`,
    columns: { direction: "to-lport", priority: 0, match: "0", action: "allow-related" },
    parent: listedIn("Logical_Switch", foreign(args.switch), "acls"),
  };
}
