import { ArgumentError } from "../arguments/errors";
import { type Family, type Ip, WIDTH, formatIp, parseIp } from "./ip";
import { quote } from "./text";

/** An address with a prefix length. For a subnet the address is the first one of it. */
export interface Prefix extends Ip {
  readonly length: number;
}

const LENGTH = /^(?:0|[1-9][0-9]{0,2})$/;

/** Reads `address/length`; host bits may be set: what a router port's `networks` column holds. */
export function parsePrefix(text: string): Prefix {
  const slash = text.indexOf("/");
  if (slash < 0) throw ArgumentError.of("", "prefix", `${quote(text)} has no prefix length: expected an address with one, such as 192.0.2.1/24`);
  const ip = parseIp(text.slice(0, slash));
  const length = text.slice(slash + 1);
  if (!LENGTH.test(length) || Number(length) > WIDTH[ip.family]) {
    throw ArgumentError.of("", "prefix", `${quote(text)}: the prefix length of IPv${ip.family} is a number from 0 to ${WIDTH[ip.family]}`);
  }
  return { ...ip, length: Number(length) };
}

/** Reads a subnet: `address/length` without host bits. */
export function parseSubnet(text: string): Prefix {
  const prefix = parsePrefix(text);
  const network = networkOf(prefix);
  if (network.value !== prefix.value) {
    throw ArgumentError.of("", "host-bits", `${quote(text)} has host bits set: the subnet is ${formatPrefix(network)}`);
  }
  return network;
}

export function formatPrefix(prefix: Prefix): string {
  return `${formatIp(prefix)}/${prefix.length}`;
}

/** The subnet that an address with a prefix length is in. */
export function networkOf(prefix: Prefix): Prefix {
  const hostBits = hostBitsOf(prefix);
  return { ...prefix, value: (prefix.value >> hostBits) << hostBits };
}

function hostBitsOf({ family, length }: Prefix): bigint {
  return BigInt(WIDTH[family] - length);
}

/** How many addresses there are in the prefix, the first and the last included. */
export function sizeOf(prefix: Prefix): bigint {
  return 1n << hostBitsOf(prefix);
}

export function lastOf(prefix: Prefix): Ip {
  return { family: prefix.family, value: networkOf(prefix).value + sizeOf(prefix) - 1n };
}

/** Smallest prefix of an address: /32 or /128. */
export function hostPrefix(ip: Ip): Prefix {
  return { family: ip.family, value: ip.value, length: WIDTH[ip.family] };
}

export function contains(outer: Prefix, inner: Ip): boolean {
  return outer.family === inner.family && (outer.value ^ inner.value) >> hostBitsOf(outer) === 0n;
}

export function overlaps(a: Prefix, b: Prefix): boolean {
  return a.length <= b.length ? contains(a, b) : contains(b, a);
}

/** The address `offset` positions after the first of the subnet; refuses to leave the subnet. */
export function nthAddress(subnet: Prefix, offset: number | bigint): Ip {
  const position = BigInt(offset);
  if (position < 0n || position >= sizeOf(subnet)) {
    throw ArgumentError.of("", "out-of-range", `${formatPrefix(subnet)} has ${sizeOf(subnet)} addresses, none at position ${position}`);
  }
  return { family: subnet.family, value: networkOf(subnet).value + position };
}

/** IPv4 before IPv6, then by value: an order that does not depend on how a user wrote a list. */
export function compareIps(a: Ip, b: Ip): number {
  if (a.family !== b.family) return a.family - b.family;
  return a.value < b.value ? -1 : a.value > b.value ? 1 : 0;
}

/** The first of each family. */
export function ofFamily<T extends Ip>(list: readonly T[], family: Family): T | undefined {
  return list.find((item) => item.family === family);
}
