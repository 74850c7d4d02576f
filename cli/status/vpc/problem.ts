/** Codes of errors of a switch that was reached: a missing bridge or port, or no answer. */
const OF_THE_SWITCH: ReadonlySet<unknown> = new Set(["OVN_BRIDGE_MISSING", "OVN_BRIDGE_UNREACHABLE", "OVN_FLOW_REFUSED"]);

export const codeOf = (error: Error): unknown => (error as { readonly code?: unknown }).code;

/** Whether an error is about the switch of a host, not about the connection to the host. */
export const isOfTheSwitch = (error: Error): boolean => OF_THE_SWITCH.has(codeOf(error));

/** Text of an error with its stable code. */
export function problemText(error: Error): string {
  const code = codeOf(error);
  return typeof code === "string" ? `${code}: ${error.message}` : error.message;
}
