import type { AclRule } from "../args";
import { isSixth } from "./flow";
import { rangeMasks, readRange } from "../port-range";

export type Family = 4 | 6;

/** IANA protocol numbers that OpenFlow has names for (ovs-fields(7)); ICMP has another number and name in each family. */
const BY_NUMBER: Readonly<Record<Family, Readonly<Record<number, string>>>> = {
  4: { 1: "icmp", 6: "tcp", 17: "udp", 132: "sctp" },
  6: { 6: "tcp6", 17: "udp6", 58: "icmp6", 132: "sctp6" },
};
const BY_NAME = { tcp: 6, udp: 17, sctp: 132, icmp: 1, icmpv6: 58 } as const;

const ANY: ReadonlySet<string> = new Set(["0.0.0.0/0", "::/0"]);

/** OpenFlow's `nw_proto` of later IPv6 fragments (ovs-fields(7)). */
const FRAGMENT = 44;

/**
 * Alternative matches of one rule, without the tier's part.
 *
 * First fragments match all fields, in fragment mode "nx-match". Later fragments have no transport header, and those of IPv6 no protocol: they
 * pass if their addresses and protocol could be allowed, because the receiver needs the first fragment.
 */
export function ruleMatches(rule: AclRule, families: readonly Family[]): string[][] {
  return families.flatMap((family) => {
    const protocol = protocolOf(rule, family);
    if (protocol === undefined) return [];
    const header = headerOf(rule);
    const inner = header ?? [[]];
    const later = rule.action === "allow" ? laterFragments(rule, family, protocol) : undefined;
    return endsOf(rule, family).flatMap((end) => [
      ...inner.map((rest) => [...protocol, ...end, ...rest]),
      ...(later === undefined ? [] : [[...later, ...end, "nw_frag=later"]]),
    ]);
  });
}

/** undefined: the rule's other matches cover them. */
function laterFragments(rule: AclRule, family: Family, protocol: readonly string[]): readonly string[] | undefined {
  if (family === 6) return rule.protocol === undefined || rule.protocol === FRAGMENT ? undefined : ["ipv6", `nw_proto=${FRAGMENT}`];
  return headerOf(rule) === undefined ? undefined : protocol;
}

/** Undefined if the protocol is not in this family. */
function protocolOf({ protocol }: AclRule, family: Family): string[] | undefined {
  const all = family === 4 ? "ip" : "ipv6";
  if (protocol === undefined) return [all];
  if (protocol === (family === 4 ? "icmpv6" : "icmp")) return undefined;
  const number = typeof protocol === "number" ? protocol : BY_NAME[protocol];
  const name = BY_NUMBER[family][number];
  return name === undefined ? [all, `nw_proto=${number}`] : [name];
}

function endsOf({ cidrs, direction }: AclRule, family: Family): string[][] {
  if (cidrs === undefined) return [[]];
  const own = cidrs.filter((cidr) => isSixth(cidr) === (family === 6));
  if (own.some((cidr) => ANY.has(cidr))) return [[]];
  const field = { ingress: { 4: "nw_src", 6: "ipv6_src" }, egress: { 4: "nw_dst", 6: "ipv6_dst" } }[direction][family];
  return own.map((cidr) => [`${field}=${cidr}`]);
}

/** Match of a rule on the header behind IP. Undefined if it has none. */
function headerOf({ action, ports, icmpType, icmpCode }: AclRule): string[][] | undefined {
  if (icmpType !== undefined) {
    // Open vSwitch reads a header that is not there as zeros.
    const present = action === "deny" && icmpType === 0 ? ["nw_frag=not_later"] : [];
    return [[`icmp_type=${icmpType}`, ...(icmpCode === undefined ? [] : [`icmp_code=${icmpCode}`]), ...present]];
  }
  const range = ports === undefined ? undefined : readRange(ports);
  if (range === undefined) return undefined;
  return rangeMasks(range).map(({ value, mask }) => [mask === 0xffff ? `tp_dst=${value}` : `tp_dst=0x${value.toString(16)}/0x${mask.toString(16)}`]);
}
