import { CommandError, parsed } from "../command";

/** Of a pull request's comment on GitHub, less what an action puts around it. */
const COMMENT_BYTES = 60_000;
/** Any document needs as much: the counts of the whole, and what is left out. */
const FEWEST_BYTES = 2_000;

export const usage = `Usage: pulumi-ovn diff [FILE|-] [OPTIONS] [-- ARGUMENTS]

Shows what a preview changes, as a reviewer reads it: the rows that change and no others, by zone
and resource, in one order, with counts. Zones in which the same happens are shown once. Without
FILE it runs "pulumi preview --json" itself; FILE is what that printed, "-" is standard input.

  --markdown       for the comment of a pull request; default: text, in colours on a terminal
  --json           for programs; docs/diff.md has the format
  --max-bytes N    as long as the document may be, ${FEWEST_BYTES} or more. Where that is too short, rows of
                   whole zones give way to counts, and then counts to lines; it says what is left
                   out. 0: no limit. Default: ${COMMENT_BYTES}, with --json 0
  --exit-code      exit with 2 when something changes, 0 when nothing does
  --stack NAME     the stack to preview; default: the one that is selected
  --cwd DIR        where its Pulumi.yaml is; default: this folder

What follows "--" is for "pulumi preview", such as --refresh.

Exit code: 0 done; 1 failed, not understood, or the preview has errors, which are at the top then;
2 with --exit-code alone; 129, 130, 143: ended by SIGHUP, SIGINT, SIGTERM, with the preview.
`;

export type FormatName = "text" | "markdown" | "json";

export interface DiffOptions {
  /** A path, or "-" for standard input; undefined: a preview is run. */
  readonly file: string | undefined;
  readonly format: FormatName;
  /** 0: no limit. */
  readonly maxBytes: number;
  readonly exitCode: boolean;
  readonly stack: string | undefined;
  readonly cwd: string | undefined;
  /** For `pulumi preview`. */
  readonly further: readonly string[];
}

const known = {
  markdown: { type: "boolean", default: false },
  json: { type: "boolean", default: false },
  "max-bytes": { type: "string" },
  "exit-code": { type: "boolean", default: false },
  stack: { type: "string" },
  cwd: { type: "string" },
} as const;

export function readOptions(args: readonly string[]): DiffOptions {
  const end = args.indexOf("--");
  const [own, further] = end < 0 ? [args, []] : [args.slice(0, end), args.slice(end + 1)];
  const {
    values,
    positionals: [file, ...more],
  } = parsed(own, known, true);
  const { markdown, json, stack, cwd } = values;
  if (more.length > 0) throw refuse(`one FILE only; got ${JSON.stringify(file)} and ${JSON.stringify(more[0])}`);
  if (markdown && json) throw refuse("--markdown or --json, not both");
  const running = [...(stack !== undefined ? ["--stack"] : []), ...(cwd !== undefined ? ["--cwd"] : []), ...(further.length > 0 ? ["-- ARGUMENTS"] : [])];
  if (file !== undefined && running.length > 0) throw refuse(`${running.join(", ")}: for a preview that is run, not for one that FILE holds`);
  const format = markdown ? "markdown" : json ? "json" : "text";
  return { file, format, maxBytes: maxBytes(values["max-bytes"], format), exitCode: values["exit-code"], stack, cwd, further };
}

function maxBytes(text: string | undefined, format: FormatName): number {
  if (text === undefined) return format === "json" ? 0 : COMMENT_BYTES;
  const number = Number(text);
  if (/^\d{1,12}$/.test(text) && (number === 0 || number >= FEWEST_BYTES)) return number;
  throw refuse(`--max-bytes ${text}: expected a number of bytes, ${FEWEST_BYTES} or more, or 0 for no limit`);
}

function refuse(message: string): CommandError {
  return new CommandError("OVN_USAGE", message);
}
