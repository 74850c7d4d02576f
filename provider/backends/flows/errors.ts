/** Stable codes of errors about a host and the flows on its bridges. */
export type FlowErrorCode =
  | "OVN_BRIDGE_MISSING"
  | "OVN_BRIDGE_UNREACHABLE"
  | "OVN_FLOW_REFUSED"
  | "OVN_FLOW_TAKEN"
  | "OVN_HOST_ABORTED"
  | "OVN_HOST_COMMAND"
  | "OVN_HOST_UNREACHABLE";

/** Flows could not be read, written or removed. */
export class FlowError extends Error {
  constructor(
    readonly code: FlowErrorCode,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = "FlowError";
  }
}

/** A bridge does not answer in time: ovs-vswitchd hangs or is overloaded. Another attempt would take as long. */
export class SilentSwitchError extends FlowError {
  constructor(bridge: string, seconds: number) {
    super("OVN_BRIDGE_UNREACHABLE", `bridge "${bridge}" did not answer within ${seconds} s: ovs-vswitchd hangs or is overloaded; restart it on the host`);
  }
}
