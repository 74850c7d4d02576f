/** Something that was looked up is not there, or there several times; or could not be asked for. */
export class LookupError extends Error {
  constructor(
    readonly code: string,
    message: string,
    options?: ErrorOptions,
  ) {
    super(`${code}: ${message}`, options);
    this.name = "LookupError";
  }
}
