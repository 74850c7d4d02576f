import { formatPrefix, ofFamily } from "../../../kit/address";
import type { Failures } from "../../../kit/arguments/failures";
import type { ResolvedNetwork } from "./resolve";

/**
 * Prefix length for address autoconfiguration: the rest must have the length of the interface identifier (RFC 4862,
 * section 5.5.3), 64 bits for Ethernet.
 */
const PREFIX_LENGTH = 64;

/**
 * Reports workloads that receive router advertisements asking them to form their own IPv6 addresses, from a subnet that
 * does not allow this. The effect of port security on such addresses is not checked: a guest may have configured
 * addresses, and never use one that it could form.
 */
export function checkAutoconfiguration({ spec, subnets }: ResolvedNetwork, failures: Failures): void {
  const subnet = ofFamily(subnets, 6);
  const { enabled, addressMode } = spec.routerAdvertisements ?? { enabled: false };
  if (!subnet || !enabled || addressMode === "dhcpv6_stateful" || subnet.length === PREFIX_LENGTH) return;
  const why = `workloads make no addresses of ${formatPrefix(subnet)}: for "${addressMode}" a subnet has a prefix length of ${PREFIX_LENGTH}`;
  failures.add("routerAdvertisements.addressMode", "value", why);
}
