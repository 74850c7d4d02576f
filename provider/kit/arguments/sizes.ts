import type { core } from "zod";

/** Counted parts of a value with a size, in singular and plural; a number is its own size. */
const COUNTED: Readonly<Record<string, readonly [one: string, several: string]>> = {
  string: ["character", "characters"],
  array: ["entry", "entries"],
  set: ["entry", "entries"],
  map: ["entry", "entries"],
  record: ["entry", "entries"],
  object: ["entry", "entries"],
};

/** Message about an invalid size or number. */
export function sizeWording(issue: core.$ZodRawIssue<core.$ZodIssueTooSmall | core.$ZodIssueTooBig>): string {
  const small = issue.code === "too_small";
  const bound = small ? issue.minimum : issue.maximum;
  const counted = COUNTED[issue.origin];
  if (counted === undefined) {
    if (issue.inclusive === false) return `must be ${small ? "greater" : "less"} than ${bound}`;
    return `must be at ${small ? "least" : "most"} ${bound}`;
  }
  const much = issue.exact ? "exactly" : small ? "at least" : "at most";
  return `must have ${much} ${Number(bound) === 1 ? `one ${counted[0]}` : `${bound} ${counted[1]}`}`;
}

/** Message about an invalid format of a text. */
export function formatWording({ format, pattern, prefix, suffix, includes }: Format): string {
  for (const [what, part] of [["begin with", prefix] as const, ["end with", suffix] as const, ["contain", includes] as const]) {
    if (part !== undefined) return `must ${what} ${JSON.stringify(part)}`;
  }
  return format === "regex" ? `must match ${pattern}` : `must be of the form "${format}"`;
}

/** Details of the schema library about a text, by kind of check. */
interface Format {
  readonly format: string;
  readonly pattern?: string;
  readonly prefix?: string;
  readonly suffix?: string;
  readonly includes?: string;
}
