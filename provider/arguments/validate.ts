import { closest, distance } from "fastest-levenshtein";
import type { ZodType, core } from "zod";
import type { Failure } from "./errors";
import { UNKNOWN } from "./unknown";

/** `nodes["node1"].addresses[0]`, as Pulumi writes property paths. */
export function propertyPath(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === "number") return `${text}[${part}]`;
    const name = String(part);
    if (!/^[A-Za-z_$][\w$]*$/.test(name)) return `${text}[${JSON.stringify(name)}]`;
    return text === "" ? name : `${text}.${name}`;
  }, "");
}

/** What a schema has against the arguments. Values that a preview does not know yet can't be wrong. */
export function validate(schema: ZodType, args: unknown): Failure[] {
  const result = schema.safeParse(args);
  if (result.success) return [];
  return result.error.issues.filter((issue) => !isUnknown(args, issue.path)).flatMap((issue) => failures(issue, schema));
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
      const close = nearest(key, issue.path.length === 0 ? argumentNames(schema) : []);
      return {
        path: propertyPath([...issue.path, key]),
        code: "unknown-argument",
        message: `there is no argument "${key}"${close ? `; did you mean "${close}"?` : ""}`,
      };
    });
  }
  if (issue.code === "invalid_type" && issue.message.endsWith("received undefined")) {
    return [{ path, code: "required", message: "is required" }];
  }
  if (issue.code === "invalid_key") {
    return issue.issues.flatMap((inner) => failures({ ...inner, path: issue.path } as core.$ZodIssue, schema));
  }
  const code = issue.code === "custom" && typeof issue.params?.code === "string" ? issue.params.code : issue.code;
  return [{ path, code: String(code), message: issue.message }];
}

function argumentNames(schema: ZodType): string[] {
  const { shape } = schema as { shape?: Record<string, unknown> };
  return shape ? Object.keys(shape) : [];
}

/** The name that a typo most likely stands for. */
function nearest(word: string, names: readonly string[]): string | undefined {
  if (names.length === 0) return undefined;
  const best = closest(word, names);
  return distance(word, best) <= Math.max(2, Math.floor(word.length / 3)) ? best : undefined;
}
