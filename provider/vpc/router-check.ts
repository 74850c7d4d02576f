import { contains, overlapFailures, parseIp, parseSubnet } from "../address";
import { byObject } from "../memo";
import { Failures, propertyPath } from "../topology/failures";
import { Holders } from "../topology/holders";
import { sortedEntries } from "../topology/rows";
import type { LogicalRouterBridgeSpec } from "./router-args";

type Spec = LogicalRouterBridgeSpec;

/** What would be routed to the wrong one of two, or nowhere. `Vpc` refuses the same of its own arguments, before there is a resource. Throws ArgumentError. */
export function checkRouter({ mac, tiers, workloads }: Pick<Spec, "mac" | "tiers" | "workloads">): void {
  const failures = new Failures();
  const { found, holders } = shared(workloads)(tiers);
  failures.addAll(found);
  const holder = holders.get(mac);
  if (holder !== undefined) failures.add("mac", "duplicate", `MAC ${mac} is already used by ${holder}`);
  failures.throwIfAny();
}

/** The schema makes one object of equal contents, and the hosts of a VPC have the same: it is looked at once. */
const shared = byObject((workloads: Spec["workloads"]) => byObject((tiers: Spec["tiers"]) => {
  const failures = new Failures();
  failures.addAll(overlapFailures(sortedEntries(tiers).flatMap(([name, { cidrs }]) => cidrs.map((cidr, index) => ({ name: `tier "${name}"`, path: propertyPath(["tiers", name, "cidrs", index]), prefix: parseSubnet(cidr) })))));
  const holders = new Map(sortedEntries(tiers).map(([name, { gatewayMac }]) => [gatewayMac, `the virtual router (tier "${name}")`]));
  const macs = new Holders(failures);
  // A virtual router may have one MAC in all tiers, which are networks of their own.
  for (const [mac, holder] of holders) macs.claim("MAC", mac, holder, "");
  for (const [name, { tier, mac, addresses }] of sortedEntries(workloads)) {
    const holder = `workload "${name}"`;
    if (macs.claim("MAC", mac, holder, propertyPath(["workloads", name, "mac"]))) holders.set(mac, holder);
    const cidrs = Object.hasOwn(tiers, tier) ? tiers[tier]!.cidrs : undefined;
    addresses.forEach((address, index) => {
      if (cidrs?.some((cidr) => contains(parseSubnet(cidr), parseIp(address))) === false) failures.add(propertyPath(["workloads", name, "addresses", index]), "not-in-subnet", `${holder} ${address} is outside of tier "${tier}": ${cidrs.join(", ")}`);
    });
  }
  return { found: failures.found, holders };
}));
