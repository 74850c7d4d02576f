import { formatIp, formatPrefix, linkLocalOfMac, ofFamily } from "../../address";
import { type Failures, propertyPath } from "../failures";
import type { ResolvedNetwork } from "./resolve";

/** What an interface makes of a prefix is as long as the rest (RFC 4862, section 5.5.3): Ethernet's identifiers have 64 bits. */
const PREFIX_LENGTH = 64;
const IDENTIFIER = (1n << 64n) - 1n;

/** Workloads that are told to make their IPv6 addresses themselves: from a subnet that they can't, or that port security then drops without a word. */
export function checkAutoconfiguration({ spec, subnets, workloads }: ResolvedNetwork, failures: Failures): void {
  const subnet = ofFamily(subnets, 6);
  const { enabled, addressMode } = spec.routerAdvertisements ?? { enabled: false };
  if (!subnet || !enabled || addressMode === "dhcpv6_stateful") return;
  if (subnet.length !== PREFIX_LENGTH) {
    const why = `workloads make no addresses of ${formatPrefix(subnet)}: for "${addressMode}" a subnet has a prefix length of ${PREFIX_LENGTH}`;
    return failures.add("routerAdvertisements.addressMode", "value", why);
  }
  for (const { name, mac, addresses, spec: { portSecurity } } of workloads) {
    const own = { ...subnet, value: subnet.value | (linkLocalOfMac(mac).value & IDENTIFIER) };
    if (!portSecurity || addresses.some(({ family, value }) => family === 6 && value === own.value)) continue;
    const why = `drops what the workload sends from ${formatIp(own)}, the address that it makes with "${addressMode}": have it in addresses, or portSecurity: false`;
    failures.add(propertyPath(["workloads", name, "portSecurity"]), "port-security", why);
  }
}
