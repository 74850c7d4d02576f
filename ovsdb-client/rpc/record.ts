import { ProtocolError } from "../errors";
import { Part } from "../framing/parts";

export type JsonRecord = Readonly<Record<string, unknown>>;

/** What must be an object in a server's message; a row that was taken out of a long one is parsed here. */
export function record(value: unknown, what: string): JsonRecord {
  const whole = value instanceof Part ? value.parse() : value;
  if (typeof whole !== "object" || whole === null || Array.isArray(whole)) throw new ProtocolError(`${what} is not an object`);
  return whole as JsonRecord;
}

/** What must be a text in a server's message. */
export function text(value: unknown, what: string): string {
  if (typeof value !== "string") throw new ProtocolError(`${what} is not a text`);
  return value;
}
