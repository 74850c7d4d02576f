/** An import that can't be done; nothing was written. */
export class ImportError extends Error {
  constructor(
    /** OVN_NOTHING_TO_IMPORT, or what the connection to a zone failed with. */
    readonly code: string,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = "ImportError";
  }
}
