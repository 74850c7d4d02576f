import { overlapFailures, parseSubnet } from "../../kit/address";
import type { Failure } from "../../kit/arguments/errors";
import { propertyPath } from "../../kit/arguments/failures";
import type { Holders } from "../topology/holders";
import { sortedEntries } from "../../kit/entries";

/** Subnets of tiers that have addresses in common. */
export function tierOverlaps(tiers: Readonly<Record<string, { readonly cidrs: readonly string[] }>>): Failure[] {
  return overlapFailures(
    sortedEntries(tiers).flatMap(([name, { cidrs }]) =>
      cidrs.map((cidr, index) => ({ name: `tier "${name}"`, path: propertyPath(["tiers", name, "cidrs", index]), prefix: parseSubnet(cidr) })),
    ),
  );
}

/** Takes the MACs of the virtual router. All tiers may have the same one, as each tier is a network. Returns the holder by MAC. */
export function claimRouterMacs<Tier>(tiers: Readonly<Record<string, Tier>>, macOf: (tier: Tier) => string, holders: Holders): Map<string, string> {
  const macs = new Map(sortedEntries(tiers).map(([name, tier]) => [macOf(tier), `the virtual router (tier "${name}")`]));
  for (const [mac, holder] of macs) holders.take("MAC", mac, holder, "");
  return macs;
}
