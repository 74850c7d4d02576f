import { fieldsOf, nameOf } from "./fields";
import type { FlowText } from "./text";
import { ANY_PROTOCOL, type Bits, bitsOf } from "./match-fields";

/** Fields that never share bits with each other or with a protocol. */
const PLAIN = String.raw`priority|in_port|dl_src|dl_dst|dl_vlan|nw_src|nw_dst|nw_ttl|ipv6_src|ipv6_dst|tp_src|tp_dst|reg\d+|ct_state|metadata|tun_id`;

/**
 * Finds fast where there may be two of one field: other names than the plain ones, two protocols, or one name twice; the fields of
 * a rule are sorted, so two of one name are side by side.
 */
const MAYBE = new RegExp(
  String.raw`"|[ ,](?:(?![ \d]|(?:${PLAIN})=|(?:${ANY_PROTOCOL})(?:,|$))|(\w+=)[^,]*,\1|(?:${ANY_PROTOCOL}),(?:.*,)?(?:${ANY_PROTOCOL})(?:,|$))`,
);

/**
 * Two names in the match of a flow that stand for the same bits, of which ovs-ofctl lets the last one win: two protocols, or one
 * field twice. Without them fields mean the same in any order, in which flows are compared.
 */
export function matchTwins(flow: FlowText): readonly [string, string] | undefined {
  if (!MAYBE.test(flow.rule)) return undefined;
  const known: (Bits & { readonly name: string })[] = [];
  for (const field of fieldsOf(flow.match)) {
    const name = nameOf(field);
    const here = bitsOf(name, field.slice(name.length + 1));
    const before = known.find((there) => here.some(({ field, from, to }) => field === there.field && from <= there.to && to >= there.from));
    if (before !== undefined) return [before.name, name];
    known.push(...here.map((bits) => ({ ...bits, name })));
  }
  return undefined;
}
