import fc from "fast-check";
import type { ZodType } from "zod";

/** The parts of a schema's definition that lead inside. */
interface Definition {
  readonly type: string;
  readonly shape?: Readonly<Record<string, ZodType>>;
  readonly element?: ZodType;
  readonly valueType?: ZodType;
  readonly innerType?: ZodType;
  readonly in?: ZodType;
  readonly options?: readonly ZodType[];
  readonly entries?: Readonly<Record<string, string>>;
}

const definitionOf = (schema: ZodType): Definition => schema.def as unknown as Definition;

/** Texts and numbers to try: those that a set of arguments has, and what is near them. */
export interface Pool {
  readonly texts: readonly string[];
  readonly numbers: readonly number[];
  /** Keys of maps. */
  readonly names: readonly string[];
}

/** Any value of the form that a schema describes. Mostly short: one wrong value is enough, and two hide each other. */
export function valueOf(schema: ZodType, pool: Pool): fc.Arbitrary<unknown> {
  const definition = definitionOf(schema);
  const inner = (part: ZodType) => valueOf(part, pool);
  switch (definition.type) {
    case "object":
      return fc.record(Object.fromEntries(Object.entries(definition.shape!).map(([name, part]) => [name, inner(part)])));
    case "optional":
    case "default":
    case "prefault":
      return fc.oneof({ weight: 2, arbitrary: fc.constant(undefined) }, inner(definition.innerType!));
    case "array":
      return fc.array(inner(definition.element!), { maxLength: 2 });
    case "record":
      return fc.dictionary(fc.constantFrom(...pool.names), inner(definition.valueType!), { maxKeys: 2 });
    case "union":
      return fc.oneof(...definition.options!.map(inner));
    case "enum":
      return fc.constantFrom(...Object.values(definition.entries!));
    case "boolean":
      return fc.boolean();
    case "number":
      return fc.constantFrom(...pool.numbers);
    case "pipe":
      return inner(definition.in!);
    default:
      return fc.constantFrom(...pool.texts);
  }
}

type Path = readonly (string | number)[];

interface Place {
  readonly path: Path;
  readonly schema: ZodType;
}

/** Every path in some arguments that can have another value: those that have one, and arguments of objects that have none. */
function placesIn(schema: ZodType, value: unknown, path: Path = []): Place[] {
  const definition = definitionOf(schema);
  const here = path.length === 0 ? [] : [{ path, schema }];
  if (definition.innerType !== undefined && definition.type !== "pipe") {
    return [...here, ...placesIn(definition.innerType, value, path).filter((place) => place.path.length > path.length)];
  }
  if (typeof value !== "object" || value === null) return here;
  if (definition.type === "pipe") return [...here, ...placesIn(definition.in!, value, path).filter((place) => place.path.length > path.length)];
  const parts: readonly (readonly [string | number, ZodType])[] = definition.shape
    ? Object.entries(definition.shape)
    : definition.element
      ? (value as unknown[]).map((_, index) => [index, definition.element!] as const)
      : definition.valueType
        ? Object.keys(value).map((key) => [key, definition.valueType!] as const)
        : [];
  return [...here, ...parts.flatMap(([key, part]) => placesIn(part, (value as Record<string | number, unknown>)[key], [...path, key]))];
}

/** The arguments with other values at one to three paths. */
export function changed<Args extends object>(schema: ZodType, base: Args, pool: Pool): fc.Arbitrary<Args> {
  const change = fc.constantFrom(...placesIn(schema, base)).chain(({ path, schema: part }) => valueOf(part, pool).map((value) => ({ path, value })));
  return fc
    .array(change, { minLength: 1, maxLength: 3 })
    .map((changes) => changes.reduce((args, { path, value }) => withValue(args, path, value) as Args, base));
}

function withValue(into: unknown, [key, ...rest]: Path, value: unknown): unknown {
  if (key === undefined) return value;
  if (typeof into !== "object" || into === null) return into;
  if (Array.isArray(into)) return into.map((item: unknown, index) => (index === key ? withValue(item, rest, value) : item));
  const { [key]: before, ...others } = into as Record<string, unknown>;
  const after = withValue(before, rest, value);
  return after === undefined ? others : { ...others, [key]: after };
}
