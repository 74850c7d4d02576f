import { jsonText } from "../framing/json";
import { type DatabaseSchema, openSchema } from "./schema";
import type { Since } from "./table";

/** Schemas that are kept: as many as a program mostly meets, in two releases each. */
const MOST = 6;

/** A schema as it was sent; as a text only where it is compared. */
class Known {
  private written: string | undefined;

  constructor(
    private readonly json: unknown,
    readonly since: Since,
    readonly schema: DatabaseSchema,
  ) {}

  get text(): string {
    return (this.written ??= jsonText(this.json));
  }
}

const known: Known[] = [];

/**
 * As `openSchema`. Programs with connections to hundreds of servers meet the same few schemas: what is the same text, with the same
 * `since`, is read once, and is one object, so that what callers make of a schema can be kept with it, too.
 */
export function knownSchema(json: unknown, since: Since): DatabaseSchema {
  const alike = known.filter((entry) => entry.since === since);
  const text = alike.length > 0 ? jsonText(json) : undefined;
  const before = alike.find((entry) => entry.text === text);
  if (before !== undefined) return before.schema;
  const schema = openSchema(json, since);
  if (known.length >= MOST) known.shift();
  known.push(new Known(json, since, schema));
  return schema;
}
