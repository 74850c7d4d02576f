/** Stable codes of the row engine's errors. */
export type RowErrorCode =
  | "OVN_FOREIGN_ROW"
  | "OVN_NAME_TAKEN"
  | "OVN_SHARED"
  | "OVN_CLAIMED"
  | "OVN_PARENT_MISSING"
  | "OVN_NOT_FOUND"
  | "OVN_NOT_EMPTY"
  | "OVN_IMMUTABLE"
  | "OVN_REFERENCED"
  | "OVN_CONSTRAINT"
  | "OVN_VERSION"
  | "OVN_AMBIGUOUS"
  | "OVN_CONTENTION"
  | "OVN_DATABASE";

/** A row set that could not be written, read or removed; nothing of it was changed. */
export class RowError extends Error {
  constructor(
    readonly code: RowErrorCode,
    message: string,
    /** How the row is called: `Logical_Router_Port trtor-GR_node2`. */
    readonly row: string | undefined,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = "RowError";
  }
}
