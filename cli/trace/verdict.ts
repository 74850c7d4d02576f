import { type LogicalRouterBridgeSpec, numberOf, ROUTER_TABLE } from "@pulumi-ovn/provider/tools";
import type { Part } from "../vpc/model";
import type { TraceStep } from "./trace-text";

/** Which rule of an ACL list decided about a packet. */
export interface AclDecision {
  readonly direction: "egress" | "ingress";
  readonly tier: string;
  readonly list: string;
  /** undefined: no rule matched, and the list's end decided. */
  readonly number: number | undefined;
}

/** Action of a host's logical router on a packet. */
export interface Verdict {
  /** "routed": sent to another tier; "returned": sent back, for the virtual router; "none": not reached; "dropped": by the last decision, if any. */
  readonly router: "routed" | "returned" | "dropped" | "none";
  readonly decisions: readonly AclDecision[];
}

const ACL_TABLES = new Map([
  [ROUTER_TABLE.egressAcl, "egress"],
  [ROUTER_TABLE.ingressAcl, "ingress"],
] as const) as ReadonlyMap<number, AclDecision["direction"]>;

/**
 * Pure. Identifies flows by cookie, table and priority. The logical router's flows have its cookie. Rules have their own tables, which no
 * tier's bridge has. A rule's number is its priority.
 * @param tiers source and destination tier of the packet
 */
export function verdictOf(
  steps: readonly TraceStep[],
  router: Part<LogicalRouterBridgeSpec> | undefined,
  tiers: { readonly from: string; readonly to: string | undefined },
): Verdict {
  const own = steps.filter(({ cookie, table }) => cookie === router?.cookie && table >= ROUTER_TABLE.egressAcl);
  const decisions = own.flatMap(({ table, priority }): AclDecision[] => {
    const direction = ACL_TABLES.get(table);
    const tier = direction === "egress" ? tiers.from : tiers.to;
    if (direction === undefined || tier === undefined) return [];
    return [{ direction, tier, list: router!.spec.tiers[tier]?.acl ?? "", number: numberOf(priority) }];
  });
  const tables = new Set(own.map(({ table }) => table));
  if (tables.has(ROUTER_TABLE.output)) return { router: "routed", decisions };
  if (tables.has(ROUTER_TABLE.virtualRouter)) return { router: "returned", decisions };
  return { router: decisions.length > 0 ? "dropped" : "none", decisions };
}
