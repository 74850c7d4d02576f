/** The first packet of a connection, or the reply. */
export type Way = "there" | "back";

/**
 * Bits of a VLAN header that the packet does not have. By these bits flows distinguish replies from first packets: a tracer that answers
 * many questions does not take a state for each. They also mark packets that arrive from another zone.
 */
export function vlanBits(way: Way, isArriving: boolean): string {
  return `vlan.tci == 0x${((way === "back" ? 0x8000 : 0) + (isArriving ? 0x4000 : 0)).toString(16)}`;
}
const REPLY = "vlan.tci[15] == 1";

/** States of a connection, for a tracer for which every connection is established. */
const STATES: Readonly<Record<string, string>> = {
  "ct.new": `(ct.est && vlan.tci[15] == 0)`,
  "ct.est": `(ct.est && ${REPLY})`,
  "ct.rpl": `(${REPLY} && ct.est)`,
};

/** Comparisons of states with a number. A bit that is never set distinguishes them. */
const COMPARED: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(STATES).flatMap(([state, wanted]) => [
    [`${state} == 1`, `(vlan.tci[13] == 0 && ${wanted})`],
    [`${state} != 0`, `(vlan.tci[13] != 1 && ${wanted})`],
    [`${state} == 0`, `(vlan.tci[13] == 0 && !${wanted})`],
    [`${state} != 1`, `(vlan.tci[13] != 1 && !${wanted})`],
  ]),
);

/** Flags of load balancers, which ovn-trace forgets between the ingress and the egress pipeline. */
const FLAGS: Readonly<Record<string, string>> = {
  "flags.force_snat_for_lb": "vlan.tci[0]",
  "flags.skip_snat_for_lb": "vlan.tci[1]",
  "flags.network_id": "vlan.tci[2..5]",
};
const TOKENS = /"(?:[^"\\]|\\.)*"|\bct\.(?:new|est|rpl)\b(?:\s*[=!]=\s*[01]\b)?|\bflags\.\w+/g;

/** Pure. A match in which bits of the packet decide about the state of the connection. */
export function traceableMatch(match: string): string {
  return match.replace(TOKENS, (token) => COMPARED[token.replace(/\s*([=!]=)\s*/, " $1 ")] ?? STATES[token] ?? FLAGS[token] ?? token);
}

/** Pure. Actions that keep flags of load balancers in bits of the packet. */
export function withFlagBits(actions: string): string {
  return actions.replace(TOKENS, (token) => FLAGS[token] ?? token);
}

/** The flow that sends a packet from another zone to its port: real chassis run only the egress pipeline for it. */
export const ARRIVAL = { stage: "arrival", match: "vlan.tci[14] == 1", actions: "vlan.tci[14] = 0; output;" } as const;

/** Pure. The match from which `traceableMatch` made this one. */
export function originalMatch(match: string): string {
  return Object.entries({ ...COMPARED, ...STATES, ...FLAGS }).reduce((text, [state, wanted]) => text.replaceAll(wanted, state), match);
}
