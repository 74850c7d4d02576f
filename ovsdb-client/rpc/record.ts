import { ProtocolError } from "../errors";
import { Part } from "../framing/parts";

export type JsonRecord = Readonly<Record<string, unknown>>;

/** What must be an object in a server's message; a row that was taken out of a long one is parsed here. */
export function record(value: unknown, what: string): JsonRecord {
  return asRecord(value) ?? noRecord(what);
}

/** As `record`, for what is read often: what it is has to be said only where it is none. */
export function asRecord(value: unknown): JsonRecord | undefined {
  const whole = value instanceof Part ? value.parse() : value;
  return typeof whole === "object" && whole !== null && !Array.isArray(whole) ? (whole as JsonRecord) : undefined;
}

export function noRecord(what: string): never {
  throw new ProtocolError(`${what} is not an object`);
}

/** What must be a text in a server's message. */
export function text(value: unknown, what: string): string {
  if (typeof value !== "string") throw new ProtocolError(`${what} is not a text`);
  return value;
}
