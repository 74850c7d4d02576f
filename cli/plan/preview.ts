import { unpacked } from "@pulumi-ovn/provider/tools";
import { z } from "zod";
import { CommandError } from "../command";

const state = z.looseObject({
  type: z.string(),
  parent: z.string().optional(),
  /** Left over from a replacement that was interrupted. */
  delete: z.boolean().optional(),
  retainOnDelete: z.boolean().optional(),
  /** URNs. */
  dependencies: z.array(z.string()).nullish(),
  inputs: z.record(z.string(), z.unknown()).default({}),
  outputs: z.record(z.string(), z.unknown()).transform(unpacked).optional(),
});

const step = z.looseObject({
  op: z.string(),
  urn: z.string(),
  oldState: state.nullish(),
  newState: state.nullish(),
  diffReasons: z.array(z.string()).nullish(),
  replaceReasons: z.array(z.string()).nullish(),
});

const diagnostic = z.looseObject({ urn: z.string().optional(), message: z.string().default(""), severity: z.string().default("info") });

/** The part of the output of `pulumi preview --json` that is read here. A preview without entries leaves out the lists. */
const preview = z.looseObject({
  steps: z
    .array(step)
    .nullish()
    .transform((steps) => steps ?? []),
  diagnostics: z
    .array(diagnostic)
    .nullish()
    .transform((diagnostics) => diagnostics ?? []),
});

export type Preview = z.output<typeof preview>;
export type Step = Preview["steps"][number];
export type State = z.output<typeof state>;
export type EngineDiagnostic = Preview["diagnostics"][number];

/** Fields of which a preview has at least one; other tools' output has none. */
const MARKS = ["steps", "diagnostics", "changeSummary", "duration"];

/**
 * Reads what `pulumi preview --json` printed.
 * @param source how errors call it, such as a file's name
 */
export function readPreview(text: string, source: string): Preview {
  const value = parseJson(text, source);
  const names = typeof value === "object" && value !== null && !Array.isArray(value) ? Object.keys(value) : [];
  if (names.includes("sequence") && names.includes("timestamp")) throw refuse(stream(source));
  if (!names.some((name) => MARKS.includes(name))) throw refuse(`${source} is JSON, but not what "pulumi preview --json" prints: ${contents(value, names)}`);
  const read = preview.safeParse(value);
  if (read.success) return read.data;
  const { path, message } = read.error.issues[0]!;
  throw refuse(`${source} is not what "pulumi preview --json" prints: ${path.join(".")}: ${message}`);
}

/** Error for a stream of engine events: one JSON object per line. */
const stream = (source: string) =>
  `${source} is a stream of engine events; unset the variable PULUMI_ENABLE_STREAMING_JSON_PREVIEW, or name a file with the output of "pulumi preview --json" alone`;

function parseJson(text: string, source: string): unknown {
  const trimmed = text.trim();
  if (trimmed === "") throw refuse(`${source} is empty; did the preview fail?`);
  try {
    return JSON.parse(trimmed);
  } catch {
    throw refuse(whyNot(trimmed, source));
  }
}

function whyNot(text: string, source: string): string {
  const [first = ""] = text.split("\n", 1);
  if (!text.startsWith("{"))
    return `${source} is not JSON: it begins with ${JSON.stringify(first.slice(0, 60))}; run "pulumi preview --json", and save its standard output alone`;
  try {
    JSON.parse(first);
    return stream(source);
  } catch {
    return text.endsWith("}") ? `${source} is not JSON` : `${source} is not complete: it ends in the middle of the JSON text`;
  }
}

function contents(value: unknown, names: readonly string[]): string {
  if (Array.isArray(value)) return "it is a list";
  if (typeof value !== "object" || value === null) return `it is ${JSON.stringify(value).slice(0, 60)}`;
  return names.length === 0
    ? "it is an empty object"
    : `it has ${names
        .slice(0, 5)
        .map((name) => JSON.stringify(name.slice(0, 40)))
        .join(", ")}, and no "steps"`;
}

function refuse(message: string): CommandError {
  return new CommandError("OVN_PREVIEW", message);
}
