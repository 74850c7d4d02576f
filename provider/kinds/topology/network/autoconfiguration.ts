import { formatPrefix, ofFamily } from "../../../kit/address";
import type { Failures } from "../../../kit/arguments/failures";
import type { ResolvedNetwork } from "./resolve";

/** What an interface makes of a prefix is as long as the rest (RFC 4862, section 5.5.3): Ethernet's identifiers have 64 bits. */
const PREFIX_LENGTH = 64;

/**
 * Workloads that are told to make their IPv6 addresses themselves, from a subnet that they can't. What port security
 * makes of these addresses is not judged: a guest may have its addresses configured, and never use what it could make.
 */
export function checkAutoconfiguration({ spec, subnets }: ResolvedNetwork, failures: Failures): void {
  const subnet = ofFamily(subnets, 6);
  const { enabled, addressMode } = spec.routerAdvertisements ?? { enabled: false };
  if (!subnet || !enabled || addressMode === "dhcpv6_stateful" || subnet.length === PREFIX_LENGTH) return;
  const why = `workloads make no addresses of ${formatPrefix(subnet)}: for "${addressMode}" a subnet has a prefix length of ${PREFIX_LENGTH}`;
  failures.add("routerAdvertisements.addressMode", "value", why);
}
