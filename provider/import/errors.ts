/** An import that can't be done; nothing was written. */
export class ImportError extends Error {
  constructor(
    readonly code: "OVN_NOTHING_TO_IMPORT",
    message: string,
  ) {
    super(message);
    this.name = "ImportError";
  }
}
