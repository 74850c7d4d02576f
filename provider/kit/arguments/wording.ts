import type { core } from "zod";
import { didYouMean } from "./nearest";
import { formatWording, sizeWording } from "./sizes";

/** Message about a missing value. */
export const REQUIRED = "is required";

/**
 * Default messages of the schema library in a stack author's words. For `error` of a parse. Repeats only choices: a value of another type may be
 * secret.
 */
export const wording: core.$ZodErrorMap = (issue) => {
  if (issue.code === "too_small" || issue.code === "too_big") return sizeWording(issue);
  if (issue.code === "invalid_format") return formatWording(issue);
  if (issue.code === "not_multiple_of") return `must be a multiple of ${issue.divisor}`;
  if (issue.code !== "invalid_type" && issue.code !== "invalid_value" && issue.code !== "invalid_union") return undefined;
  if (issue.input === undefined) return REQUIRED;
  if (issue.code === "invalid_value") return notChosen(issue.input, issue.values);
  const expected = issue.code === "invalid_type" ? [issue.expected] : alternatives(issue.errors);
  const words = expected.map((type) => TYPES[type]).filter((word) => word !== undefined);
  return words.length === 0 || words.length < expected.length
    ? undefined
    : `must be ${[...new Set(words)].join(" or ")}, not ${expected.includes("int") && Number.isFinite(issue.input) ? "a fraction" : typeOf(issue.input)}`;
};

const TYPES: Readonly<Record<string, string>> = {
  string: "a text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  record: "an object",
};

/** Message about arguments that are not an object; undefined for an object. */
export function notObject(value: unknown): string | undefined {
  if (value === undefined) return REQUIRED;
  return typeof value === "object" && value !== null && !Array.isArray(value) ? undefined : `must be an object, not ${typeOf(value)}`;
}

function typeOf(value: unknown): string {
  if (value === null) return "null";
  if (typeof value === "number" && !Number.isFinite(value)) return String(value);
  if (Array.isArray(value)) return TYPES.array!;
  return TYPES[typeof value] ?? `a ${typeof value}`;
}

function notChosen(value: unknown, choices: readonly unknown[]): string {
  const listed = choices.map((choice) => JSON.stringify(choice)).join(", ");
  if (choices.length === 1) return `must be ${listed}`;
  if (typeof value !== "string") return `must be one of ${listed}`;
  return `${JSON.stringify(value)} is not one of ${listed}${didYouMean(value, choices.map(String))}`;
}

/** Types of a union, if only the type of the value is wrong. */
function alternatives(errors: readonly (readonly core.$ZodIssue[])[]): string[] {
  const types = errors.map(([issue]) => (issue?.code === "invalid_type" && issue.path.length === 0 ? issue.expected : undefined));
  return types.every((type) => type !== undefined) ? types : [];
}
