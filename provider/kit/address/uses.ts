import { ArgumentError } from "../arguments/errors";
import { type Ip, formatIp, WIDTH } from "./ip";
import { type Prefix, contains, formatPrefix, overlaps, parseSubnet } from "./prefix";

/**
 * Use of an argument's address: the subnet of a network, link or host; the address of one port or host; the address of the next router; a
 * destination or source of packets, which may be any.
 */
export type AddressUse = "subnet" | "host" | "next hop" | "destination";

interface SpecialRange {
  readonly range: Prefix;
  /** `127.0.0.0/8 <what>` is a sentence. */
  readonly what: string;
  readonly uses: readonly AddressUse[];
}

const special = (range: string, what: string, uses: readonly AddressUse[] = []): SpecialRange => ({ range: parseSubnet(range), what, uses });

/**
 * Addresses that are not for everything, a part of another range before it; all others are. OVN takes them all, and its routers
 * drop packets from and to 0.0.0.0/8 and 127.0.0.0/8, and from 224.0.0.0/4 and 255.255.255.255 (ovn-northd(8), "IP Input" of routers).
 */
const SPECIAL: readonly SpecialRange[] = [
  special("0.0.0.0/8", "means a host of this network that does not know its address yet (RFC 1122 section 3.2.1.3)"),
  special("127.0.0.0/8", "is for loopback (RFC 1122 section 3.2.1.3)"),
  special("224.0.0.0/4", "is for multicast (RFC 5771)", ["destination"]),
  special("255.255.255.255/32", "is the broadcast address of every link (RFC 919)"),
  special("240.0.0.0/4", "is reserved (RFC 1112 section 4)", ["destination"]),
  special("::/128", "means no address (RFC 4291 section 2.5.2)"),
  special("::1/128", "is for loopback (RFC 4291 section 2.5.3)"),
  special("fe80::/10", "is for link-local addresses, which are no network's own (RFC 4291 section 2.5.6)", ["next hop", "destination"]),
  special("ff00::/8", "is for multicast (RFC 4291 section 2.7)", ["destination"]),
];
const LINK_LOCAL = parseSubnet("fe80::/10");

/** Whether an address is link-local: every router port has a link-local subnet, so the address does not identify a port. */
export function isLinkLocal(address: Ip): boolean {
  return contains(LINK_LOCAL, address);
}

/** Written out, because no text is read as an IPv4-mapped address. */
const IPV4_MAPPED: SpecialRange = {
  range: { family: 6, value: 0xffffn << 32n, length: 96 },
  what: "is for IPv4-mapped addresses (RFC 4291 section 2.5.5.2)",
  uses: [],
};

const RANGES: readonly SpecialRange[] = [...SPECIAL, IPV4_MAPPED];

const CALLED: Readonly<Record<AddressUse, string>> = {
  subnet: "a subnet",
  host: "the address of a port or host",
  "next hop": "a next hop",
  destination: "a destination",
};

/** Returns an address that one host or port can have, or that fits the use. */
export function requireUse(address: Ip, use: AddressUse): Ip {
  refuse(
    formatIp(address),
    use,
    RANGES.find(({ range, uses }) => contains(range, address) && !uses.includes(use)),
  );
  return address;
}

/** Returns a prefix whose addresses fit the use: all addresses of a subnet, some addresses of a destination (a default route is for all). */
export function requirePrefixUse(prefix: Prefix, use: "subnet" | "destination"): Prefix {
  const meets = ({ range }: SpecialRange) => (use === "subnet" ? overlaps(range, prefix) : range.length <= prefix.length && contains(range, prefix));
  refuse(
    formatPrefix(prefix),
    use,
    RANGES.find((special) => !special.uses.includes(use) && meets(special)),
  );
  return prefix;
}

function refuse(text: string, use: AddressUse, found: SpecialRange | undefined): void {
  if (!found) return;
  const { range, what } = found;
  const subject = range.length === WIDTH[range.family] ? formatIp(range) : formatPrefix(range);
  throw ArgumentError.of("", "unusable", `${text} can't be ${CALLED[use]}: ${subject === text ? "it" : subject} ${what}`);
}
