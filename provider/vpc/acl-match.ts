import type { AclRule } from "./args";
import { isSixth } from "./flow";
import { rangeMasks, readRange } from "./port-range";

export type Family = 4 | 6;

/** IANA protocol numbers that OpenFlow has names for (ovs-fields(7)); ICMP has another number and name in each family. */
const BY_NUMBER: Readonly<Record<Family, Readonly<Record<number, string>>>> = {
  4: { 1: "icmp", 6: "tcp", 17: "udp", 132: "sctp" },
  6: { 6: "tcp6", 17: "udp6", 58: "icmp6", 132: "sctp6" },
};
const BY_NAME = { tcp: 6, udp: 17, sctp: 132, icmp: 1, icmpv6: 58 } as const;

const ANY: ReadonlySet<string> = new Set(["0.0.0.0/0", "::/0"]);

/** Matches of one rule: whatever one of them matches, the rule matches. Without what is the tier's. */
export function ruleMatches(rule: AclRule, families: readonly Family[], stateful: boolean): string[][] {
  return families.flatMap((family) => {
    const protocol = protocolOf(rule, family);
    if (protocol === undefined) return [];
    const ends = endsOf(rule, family);
    return ends.flatMap((end) => inner(rule, stateful).map((rest) => [...protocol, ...end, ...rest]));
  });
}

/** undefined: the protocol is none of this family. */
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

/**
 * What a rule says of the header behind IP. Fragments after the first have none: an allowed port lets them pass, as its first
 * fragment alone can be put together with them; a denied port is not theirs. Conntrack has put them together before.
 */
function inner(rule: AclRule, stateful: boolean): string[][] {
  const header = headerOf(rule);
  if (header === undefined) return [[]];
  if (stateful) return header;
  if (rule.action === "allow") return [...header, ["nw_frag=later"]];
  // Open vSwitch reads a header that is not there as zeros.
  return rule.icmpType === 0 ? header.map((match) => [...match, "nw_frag=not_later"]) : header;
}

function headerOf({ ports, icmpType, icmpCode }: AclRule): string[][] | undefined {
  if (icmpType !== undefined) return [[`icmp_type=${icmpType}`, ...(icmpCode === undefined ? [] : [`icmp_code=${icmpCode}`])]];
  const range = ports === undefined ? undefined : readRange(ports);
  if (range === undefined) return undefined;
  return rangeMasks(range).map(({ value, mask }) => [mask === 0xffff ? `tp_dst=${value}` : `tp_dst=0x${value.toString(16)}/0x${mask.toString(16)}`]);
}
