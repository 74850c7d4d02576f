import { type FlowText, matchNames } from "./flow-text";

/** Names of protocols, as a part of a regular expression. */
export const PROTOCOL = "ip|ipv6|arp|icmp|icmp6|tcp|tcp6|udp|udp6|sctp|sctp6";

const IS_PROTOCOL = new RegExp(`^(?:${PROTOCOL}|rarp|mplsm?|(?:dl|eth)_type)$`);

/** Other names of fields (ovs-fields(7)). */
const OTHER_NAMES: readonly (readonly [RegExp, string])[] = [
  [/^eth_(src|dst)$/, "dl_$1"],
  [/^ip_(src|dst|proto)$/, "nw_$1"],
  [/^(?:tcp|udp|sctp)_(src|dst)$/, "tp_$1"],
];

/** Finds fast what may be a field, or a protocol, a second time: the fields of a rule are sorted, so two of one name are side by side. */
const MAYBE = new RegExp(`"|[ ,](?:(\\w+=)[^,]*,\\1|(?:${PROTOCOL}|rarp|mplsm?),(?:.*,)?(?:${PROTOCOL}|rarp|mplsm?)(?:,|$)|(?:eth|ip|tcp|udp|sctp)_|dl_type)`);

/**
 * Two fields of a flow of which ovs-ofctl lets the last one win: two protocols, or one field twice. Without them fields mean the
 * same in any order, in which flows are compared and removed.
 */
export function matchTwins(flow: FlowText): readonly [string, string] | undefined {
  if (!MAYBE.test(flow.rule)) return undefined;
  const known = new Map<string, string>();
  for (const name of matchNames(flow)) {
    const field = IS_PROTOCOL.test(name) ? "protocol" : OTHER_NAMES.reduce((text, [other, usual]) => text.replace(other, usual), name);
    const before = known.get(field);
    if (before !== undefined) return [before, name];
    known.set(field, name);
  }
  return undefined;
}
