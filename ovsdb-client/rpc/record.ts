import { ProtocolError } from "../errors";
import { Part } from "../framing/parts";

export type JsonRecord = Readonly<Record<string, unknown>>;

/** Reads an object of a server's message. Parses a row that was cut out of a long message. */
export function record(value: unknown, what: string): JsonRecord {
  return asRecord(value) ?? noRecord(what);
}

/** Like `record`, without building an error message on success. */
export function asRecord(value: unknown): JsonRecord | undefined {
  const whole = value instanceof Part ? value.parse() : value;
  return typeof whole === "object" && whole !== null && !Array.isArray(whole) ? (whole as JsonRecord) : undefined;
}

export function noRecord(what: string): never {
  throw new ProtocolError(`${what} is not an object`);
}

/** Reads a text of a server's message. */
export function text(value: unknown, what: string): string {
  if (typeof value !== "string") throw new ProtocolError(`${what} is not a text`);
  return value;
}
