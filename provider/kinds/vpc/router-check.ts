import { contains, parseIp, parseSubnet } from "../../kit/address";
import { memo } from "../../kit/memo/memo";
import { Failures, propertyPath } from "../../kit/arguments/failures";
import { Holders } from "../topology/holders";
import { sortedEntries } from "../../kit/entries";
import type { LogicalRouterBridgeSpec } from "./router-args";
import { claimRouterMacs, tierOverlaps } from "./tier-twins";

type Spec = LogicalRouterBridgeSpec;

/**
 * Checks for packets that would be routed to the wrong one of two workloads, or dropped. `Vpc` refuses the same errors
 * in its own arguments, before any resource exists. Throws ArgumentError.
 */
export function checkRouter({ mac, tiers, workloads }: Pick<Spec, "mac" | "tiers" | "workloads">): void {
  const failures = new Failures();
  const { found, holders } = shared(workloads)(tiers);
  failures.addAll(found);
  const holder = holders.get(mac);
  if (holder !== undefined) failures.add("mac", "duplicate", `MAC ${mac} is already used by ${holder}`);
  failures.throwIfAny();
}

/** The schema makes one object of equal contents. All hosts of a VPC have the same workloads, so these are checked once. */
const shared = memo((workloads: Spec["workloads"]) =>
  memo((tiers: Spec["tiers"]) => {
    const failures = new Failures();
    failures.addAll(tierOverlaps(tiers));
    const macs = new Holders(failures);
    const holders = claimRouterMacs(tiers, ({ gatewayMac }) => gatewayMac, macs);
    for (const [name, { tier, mac, addresses }] of sortedEntries(workloads)) {
      const holder = `workload "${name}"`;
      if (macs.take("MAC", mac, holder, propertyPath(["workloads", name, "mac"]))) holders.set(mac, holder);
      const cidrs = Object.hasOwn(tiers, tier) ? tiers[tier]!.cidrs : undefined;
      addresses.forEach((address, index) => {
        if (cidrs?.some((cidr) => contains(parseSubnet(cidr), parseIp(address))) === false)
          failures.add(
            propertyPath(["workloads", name, "addresses", index]),
            "not-in-subnet",
            `${holder} ${address} is outside of tier "${tier}": ${cidrs.join(", ")}`,
          );
      });
    }
    return { found: failures.found, holders };
  }),
);
