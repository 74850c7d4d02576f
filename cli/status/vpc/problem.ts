/** The switch was reached, and does not have what flows need: a port, or an answer. */
const OF_THE_SWITCH: ReadonlySet<unknown> = new Set(["OVN_BRIDGE_MISSING", "OVN_BRIDGE_UNREACHABLE", "OVN_FLOW_REFUSED"]);

export const codeOf = (error: Error): unknown => (error as { readonly code?: unknown }).code;

/** Whether an error is about what a host's switch has, not about the way there. */
export const isOfTheSwitch = (error: Error): boolean => OF_THE_SWITCH.has(codeOf(error));

/** As people read it, with the stable code. */
export function problemText(error: Error): string {
  const code = codeOf(error);
  return typeof code === "string" ? `${code}: ${error.message}` : error.message;
}
