import { type Ip, type Prefix, contains, formatIp, formatPrefix, lastOf, networkOf } from "../../kit/address";
import { ArgumentError } from "../../kit/arguments/errors";

/** The subnet that a host address is in; refuses addresses outside, and the subnet's own two that no host can have. */
export function requireHost(address: Ip, subnets: readonly Prefix[]): Prefix {
  const subnet = subnets.find((candidate) => contains(candidate, address));
  if (subnet === undefined) {
    throw ArgumentError.of("", "not-in-subnet", `${formatIp(address)} is outside of ${subnets.map(formatPrefix).join(" and ")}`);
  }
  refuseReserved(address, subnet);
  return subnet;
}

/** A next hop inside of a subnet is a host's address. The first one of IPv6 is that of any router there (RFC 4291 section 2.6.1). */
export function requireNextHop(address: Ip, subnet: Prefix): void {
  if (address.family === 4) refuseReserved(address, subnet);
}

function refuseReserved(address: Ip, subnet: Prefix): void {
  if (!isReserved(address, subnet)) return;
  const which = address.value === networkOf(subnet).value ? "first" : "broadcast";
  throw ArgumentError.of("", "reserved", `${formatIp(address)} is the ${which} address of ${formatPrefix(networkOf(subnet))}, which no host can have`);
}

/** First and, for IPv4, last address of a subnet; links of two addresses (/31, /127) and single hosts have no such addresses. */
function isReserved(address: Ip, subnet: Prefix): boolean {
  const hostBits = (subnet.family === 4 ? 32 : 128) - subnet.length;
  if (hostBits <= 1) return false;
  return address.value === networkOf(subnet).value || (subnet.family === 4 && address.value === lastOf(subnet).value);
}
