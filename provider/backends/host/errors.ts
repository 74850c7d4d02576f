/** Stable codes of errors about what a host's switch made of its database, and who wrote there. */
export type HostStateCode = "OVN_SWITCH" | "OVN_INTERFACE" | "OVN_SEQUENCE" | "OVN_AGENT_FILE" | "OVN_HOST_BUSY";

/** A host is not in the state that a write relies on. */
export class HostStateError extends Error {
  constructor(
    readonly code: HostStateCode,
    message: string,
  ) {
    super(message);
    this.name = "HostStateError";
  }
}
