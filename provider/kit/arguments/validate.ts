import type { ZodType, core } from "zod";
import { ArgumentError, type Failure } from "./errors";
import { didYouMean } from "./nearest";
import { propertyPath } from "./path";
import { unsendable } from "./sendable";
import { UNKNOWN } from "./unknown";
import { REQUIRED, wording } from "./wording";

export { propertyPath };

export interface Checked<Value> {
  /** Failures of the arguments. Unknown values of a preview are valid. */
  readonly failures: Failure[];
  /** Parsed arguments; undefined if some are refused or unknown. */
  readonly value: Value | undefined;
}

export function checked<Value>(schema: ZodType<Value>, args: unknown): Checked<Value> {
  const lost = unsendable(args);
  const { data, error } = schema.safeParse(args, { error: wording });
  const refused = error?.issues.filter((issue) => !isUnknown(args, issue.path)).flatMap((issue) => failures(issue, schema)) ?? [];
  return { failures: [...lost, ...refused], value: data };
}

/** Parses the arguments. Throws an ArgumentError with all failures. */
export function accepted<Value>(schema: ZodType<Value>, args: unknown): Value {
  const { failures, value } = checked(schema, args);
  if (value === undefined || failures.length > 0) throw new ArgumentError(failures);
  return value;
}

export function validate(schema: ZodType, args: unknown): Failure[] {
  return checked(schema, args).failures;
}

/** A check of the whole may fail because a part of it is unknown. */
function isUnknown(args: unknown, path: readonly PropertyKey[]): boolean {
  let value: unknown = args;
  for (const part of path) {
    if (value === UNKNOWN) return true;
    value = (value as Record<PropertyKey, unknown> | undefined)?.[part];
  }
  return value === UNKNOWN;
}

function failures(issue: core.$ZodIssue, schema: ZodType): Failure[] {
  const path = propertyPath(issue.path);
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => {
      return {
        path: propertyPath([...issue.path, key]),
        code: "unknown-argument",
        message: `there is no argument "${key}"${didYouMean(key, argumentNames(schema, issue.path))}`,
      };
    });
  }
  if (issue.message === REQUIRED) {
    return [{ path, code: "required", message: REQUIRED }];
  }
  if (issue.code === "invalid_union") return alternativeFailures(issue, schema);
  if (issue.code === "invalid_key") {
    return issue.issues.flatMap((inner) => failures({ ...inner, path: issue.path } as core.$ZodIssue, schema));
  }
  const code = issue.code === "custom" && typeof issue.params?.code === "string" ? issue.params.code : issue.code;
  return [{ path, code: String(code), message: issue.message }];
}

/** Failures of the alternative whose type the value has, and whose contents are refused. Without one, the union's message. */
function alternativeFailures({ path, message, errors }: core.$ZodIssueInvalidUnion, schema: ZodType): Failure[] {
  const refused = errors.find((issues) => issues.every(({ code }) => code === "custom"));
  if (refused === undefined) return [{ path: propertyPath(path), code: errors[0]?.[0]?.code ?? "invalid_type", message }];
  return refused.flatMap((inner) => failures({ ...inner, path: [...path, ...inner.path] } as core.$ZodIssue, schema));
}

/** The parts of a schema's definition that lead inside. */
interface Definition {
  readonly shape?: Readonly<Record<PropertyKey, ZodType>>;
  readonly element?: ZodType;
  readonly valueType?: ZodType;
  /** Schema of an optional value or one with a default. */
  readonly innerType?: ZodType;
  /** Alternatives of a value; at most one is an object. */
  readonly options?: readonly ZodType[];
}

/** Names of the arguments at a path inside of the schema. */
export function argumentNames(schema: ZodType, path: readonly PropertyKey[] = []): string[] {
  let here = definitionOf(schema);
  for (const part of path) here = definitionOf(here?.shape?.[part] ?? here?.element ?? here?.valueType);
  return Object.keys(here?.shape ?? {});
}

function definitionOf(schema: ZodType | undefined): Definition | undefined {
  const definition = schema?.def as Definition | undefined;
  const object = definition?.options?.find((option) => (option.def as Definition).shape !== undefined);
  if (object !== undefined) return definitionOf(object);
  return definition?.innerType === undefined ? definition : definitionOf(definition.innerType);
}
