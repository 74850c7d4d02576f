/** The first packet of a connection, or the reply. */
export type Way = "there" | "back";

/**
 * Priority bits of a VLAN header that the packet does not have. By these bits flows tell replies from first packets: a tracer that answers
 * many questions does not take a state for each.
 */
export const VLAN_BITS: Readonly<Record<Way, string>> = { there: "vlan.tci == 0", back: "vlan.tci == 0x8000" };
const REPLY = "vlan.tci[15] == 1";

/** States of a connection, for a tracer for which every connection is established. */
const STATES: Readonly<Record<string, string>> = {
  "ct.new": `(ct.est && vlan.tci[15] == 0)`,
  "ct.est": `(ct.est && ${REPLY})`,
  "ct.rpl": `(${REPLY} && ct.est)`,
};

/** Pure. A match in which a bit of the packet decides about the state of the connection. */
export function traceableMatch(match: string): string {
  return match.replace(/"(?:[^"\\]|\\.)*"|\bct\.(?:new|est|rpl)\b/g, (token) => STATES[token] ?? token);
}

/** Pure. The match from which `traceableMatch` made this one. */
export function originalMatch(match: string): string {
  return Object.entries(STATES).reduce((text, [state, wanted]) => text.replaceAll(wanted, state), match);
}
