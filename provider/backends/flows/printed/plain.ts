import type { PrintedFlow } from "./difference";
import { actionsWith } from "./words";

/** Fields without a condition, and protocols. */
const FREE = /^(?:priority=\d+|in_port=.*|dl_src=.*|dl_dst=.*|metadata=.*|reg\d+=.*|ct_state=.*|ip|ipv6|arp|icmp|icmp6|tcp|tcp6|udp|udp6|sctp|sctp6)$/;

/** Fields that a switch keeps only with these protocols. */
const CONDITIONAL: readonly (readonly [field: RegExp, protocols: ReadonlySet<string>])[] = [
  [/^nw_(?:src|dst)=/, new Set(["ip", "icmp", "tcp", "udp", "sctp"])],
  [/^ipv6_(?:src|dst)=/, new Set(["ipv6", "icmp6", "tcp6", "udp6", "sctp6"])],
  [/^tp_(?:src|dst)=/, new Set(["tcp", "udp", "sctp", "tcp6", "udp6", "sctp6"])],
];

const ACTIONS = actionsWith(String.raw`(?:\w+|"[^"]*")`);

/**
 * Pure. Whether a switch surely returns a printed flow in the same words, so that its meaning is clear: most flows have a few forms. False means
 * unknown.
 */
export function isPlain({ rule, actions }: PrintedFlow): boolean {
  if (!ACTIONS.test(actions)) return false;
  const fields = rule
    .replace(/^table=\d+ ?/, "")
    .split(",")
    .filter(Boolean);
  return fields.every(
    (field) => FREE.test(field) || CONDITIONAL.some(([known, protocols]) => known.test(field) && fields.some((other) => protocols.has(other))),
  );
}
