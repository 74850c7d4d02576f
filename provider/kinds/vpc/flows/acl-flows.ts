import { sortedEntries } from "../../../kit/entries";
import { type Family, ruleMatches } from "./acl-match";
import type { AclRule } from "../args";
import { flow, isSixth } from "./flow";
import { routerPatch } from "../names";
import { TABLE } from "./tables";

type Direction = AclRule["direction"];

export interface AclTier {
  readonly key: number;
  readonly cidrs: readonly string[];
  readonly acl: string;
}

/** Rules, and the verdict for other packets. */
interface AclList {
  readonly rules: readonly AclRule[];
  readonly otherwise: Readonly<Record<Direction, AclRule["action"]>>;
}

/** The lists that every VPC has, as Apache CloudStack calls them. */
const BUILT_IN: Readonly<Record<string, AclList>> = {
  default_allow: { rules: [], otherwise: { ingress: "allow", egress: "allow" } },
  default_deny: { rules: [], otherwise: { ingress: "deny", egress: "deny" } },
};

export const isBuiltIn = (list: string): boolean => Object.hasOwn(BUILT_IN, list);
export const BUILT_IN_LISTS = Object.keys(BUILT_IN);

const HIGHEST_PRIORITY = 65_535;

/** The lowest number has the highest priority; 0 is what no rule has. */
export const priorityOf = ({ number }: Pick<AclRule, "number">): number => HIGHEST_PRIORITY - number;

/** Number of the rule whose flows have this priority. Undefined for the end of a list. */
export const numberOf = (priority: number): number | undefined => (priority === 0 ? undefined : HIGHEST_PRIORITY - priority);

const STAGE: Readonly<Record<Direction, { readonly table: number; readonly next: number; readonly tier: (key: number) => string }>> = {
  // The port that a packet comes in from decides its tier, not the source address of the packet.
  egress: { table: TABLE.egressAcl, next: TABLE.ingressAcl, tier: (key) => `in_port=${routerPatch(key)}` },
  ingress: { table: TABLE.ingressAcl, next: TABLE.output, tier: (key) => `reg0=${key}` },
};

/** The ACL lists of all tiers, on every logical router the same. */
export function aclFlows({
  tiers,
  acls,
}: {
  readonly tiers: Readonly<Record<string, AclTier>>;
  readonly acls: Readonly<Record<string, readonly AclRule[]>>;
}): string[] {
  const families = familiesOf(Object.values(tiers).flatMap(({ cidrs }) => cidrs));
  return sortedEntries(tiers).flatMap(([, tier]) => {
    // A list of one's own may be called what every object has.
    const list: AclList = isBuiltIn(tier.acl) ? BUILT_IN[tier.acl]! : { rules: acls[tier.acl]!, otherwise: { ingress: "deny", egress: "allow" } };
    return (["egress", "ingress"] as const).flatMap((direction) => stageFlows(tier.key, direction, list, families));
  });
}

function stageFlows(key: number, direction: Direction, { rules, otherwise }: AclList, families: readonly Family[]): string[] {
  const { table, next, tier } = STAGE[direction];
  const decide = (action: AclRule["action"]): string[] => [action === "allow" ? `resubmit(,${next})` : "drop"];
  const own = rules.filter((rule) => rule.direction === direction).toSorted((a, b) => a.number - b.number);
  return [
    ...own.flatMap((rule) => ruleMatches(rule, families).map((match) => flow(table, priorityOf(rule), [tier(key), ...match], decide(rule.action)))),
    flow(table, 0, [tier(key)], decide(otherwise[direction])),
  ];
}

function familiesOf(cidrs: readonly string[]): Family[] {
  return ([4, 6] as const).filter((family) => cidrs.some((cidr) => isSixth(cidr) === (family === 6)));
}
