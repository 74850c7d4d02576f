/** Stable codes of errors about what a host's switch made of its database. */
export type HostStateCode = "OVN_SWITCH" | "OVN_INTERFACE";

/** The database holds what it should, and the switch did not follow. */
export class HostStateError extends Error {
  constructor(
    readonly code: HostStateCode,
    message: string,
  ) {
    super(message);
    this.name = "HostStateError";
  }
}
