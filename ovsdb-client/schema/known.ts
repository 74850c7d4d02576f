import { stringifyJson } from "../framing/json";
import { type DatabaseSchema, parseSchema, type Since } from "./schema";

/** Schemas that are kept: as many as a program mostly meets, in two releases each. */
const MOST = 6;

interface Known {
  readonly text: string;
  readonly since: Since;
  readonly schema: DatabaseSchema;
}

const known: Known[] = [];

/**
 * As `parseSchema`. Programs with connections to hundreds of servers meet the same few schemas: what is the same text, with the same
 * `since`, is read once, and is one object, so that what callers make of a schema can be kept with it, too.
 */
export function knownSchema(json: unknown, since: Since): DatabaseSchema {
  const text = stringifyJson(json);
  const before = known.find((entry) => entry.since === since && entry.text === text);
  if (before !== undefined) return before.schema;
  const schema = parseSchema(json, since);
  if (known.length >= MOST) known.shift();
  known.push({ text, since, schema });
  return schema;
}
