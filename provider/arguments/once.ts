import { z } from "zod";
import { isLasting, lasting } from "../memo/lasting";
import { byObject, byText } from "../memo/memo";
import { isBase } from "./sendable";
import { wording } from "./wording";

/** Contents of one schema that are kept: an old and a new one of each of several networks. */
const KEPT = 64;

/**
 * The schema, asked once about each content: an argument that the resources of many hosts have in common arrives with each of
 * them, as a copy of its own. Its whole text is the key, so what was made of other content is never taken. The value is the
 * same object each time, frozen. What the schema refuses is asked about each time, and so is what is no plain JSON.
 */
export function once<Schema extends z.ZodType>(schema: Schema): Schema {
  const known = byText(KEPT, (text) => acceptedBy(schema, JSON.parse(text)));
  return asked(schema, (input) => (isPlain(input) ? known(JSON.stringify(input)) : undefined));
}

/** The schema, asked once about each object that lasts: a list that all zones share. The value lasts as well. */
export function onceForLasting<Schema extends z.ZodType>(schema: Schema): Schema {
  const known = onceAccepted(schema);
  return asked(schema, (input) => (isLasting(input) ? known(input) : undefined));
}

/** As many names as large networks have. */
const KEPT_NAMES = 20_000;

/** A record of the schemas, which are asked once about each text and each object that lasts: entries that zones share, in a list of each zone's own. */
export function recordOfLasting<Key extends z.ZodType<string, string>, Value extends z.ZodType>(
  key: Key,
  value: Value,
): z.ZodRecord<Key & z.core.$ZodRecordKey, Value> {
  const [names, values] = [byText(KEPT_NAMES, (text) => acceptedBy(key, text)), onceAccepted(value)];
  return asked(z.record(key as Key & z.core.$ZodRecordKey, value), (input) => {
    if (typeof input !== "object" || input === null || !isBase(Object.getPrototypeOf(input))) return undefined;
    const entries: [string, unknown][] = [];
    for (const [name, entry] of Object.entries(input)) {
      const [known, made] = [names(name), isLasting(entry) ? values(entry) : undefined];
      if (known === undefined || made === undefined) return undefined;
      entries.push([known.value as string, made.value]);
    }
    return { value: Object.fromEntries(entries) };
  });
}

function onceAccepted(schema: z.ZodType) {
  return byObject((input: object) => acceptedBy(schema, input));
}

interface Accepted {
  readonly value: unknown;
}

function acceptedBy(schema: z.ZodType, input: unknown): Accepted | undefined {
  const { success, data } = schema.safeParse(input);
  return success ? { value: lasting(data) } : undefined;
}

/** The schema, unless somebody knows what it makes of the input. */
function asked<Schema extends z.ZodType>(schema: Schema, known: (input: unknown) => Accepted | undefined): Schema {
  const asking = z.transform((input: unknown, context) => {
    const before = known(input);
    if (before !== undefined) return before.value;
    const { error, data } = schema.safeParse(input, { error: wording });
    for (const issue of error?.issues ?? []) context.issues.push({ ...issue, input } as never);
    return error ? z.NEVER : data;
  });
  // Names of arguments inside of it are found where those of optional ones are.
  return Object.assign(asking, { def: Object.assign(asking.def, { innerType: schema }) }) as unknown as Schema;
}

/** Whether its JSON says everything. */
export function isPlain(value: unknown): boolean {
  if (value === null || typeof value === "string" || typeof value === "boolean") return true;
  if (typeof value === "number") return Number.isFinite(value) && !Object.is(value, -0);
  if (typeof value !== "object") return false;
  if (Array.isArray(value)) return value.every(isPlain);
  if (!isBase(Object.getPrototypeOf(value))) return false;
  // `Object.values` makes a list of each object, of which there are many.
  for (const name in value) if (!isPlain((value as Record<string, unknown>)[name])) return false;
  return true;
}
