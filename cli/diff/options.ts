import { CommandError, JSON_OPTION, type Options, parsed } from "../command";
import type { SourceChoice } from "../plan/source";
import { CWD_OPTION, SELECTED_STACK_OPTION } from "../stack/stack-file";

/** Maximum size of a pull request's comment on GitHub, minus the text that an action adds. */
const COMMENT_BYTES = 60_000;
/** Minimum size of any document: the total counts, and the list of omitted parts. */
const FEWEST_BYTES = 2_000;

export const known = {
  markdown: { help: "for the comment of a pull request; default: text, in colours on a terminal" },
  json: JSON_OPTION,
  picture: { help: "with --markdown: also draw the difference as a Mermaid flowchart" },
  intents: { help: "also judge the intents before and after; a broken intent is an error" },
  simulate: { help: "also show what the change does to packets; includes --intents" },
  "max-bytes": {
    value: "N",
    help: `shorten a longer document to counts; ${FEWEST_BYTES} or more, 0: no limit; default: ${COMMENT_BYTES}, with --json 0`,
  },
  save: { value: "FILE", help: 'also write the plan for "pulumi-ovn apply --plan"', completes: "file" },
  "exit-code": { help: "exit with 2 when something changes, 0 when nothing does" },
  stack: SELECTED_STACK_OPTION,
  cwd: CWD_OPTION,
} as const satisfies Options;

export type FormatName = "text" | "markdown" | "json";

export interface DiffOptions extends SourceChoice {
  readonly format: FormatName;
  /** 0: no limit. */
  readonly maxBytes: number;
  readonly exitCode: boolean;
  readonly picture: boolean;
  readonly intents: boolean;
  readonly simulate: boolean;
  /** Path of the plan that is written. */
  readonly save: string | undefined;
}

export function readOptions(args: readonly string[]): DiffOptions {
  const end = args.indexOf("--");
  const [own, further] = end < 0 ? [args, []] : [args.slice(0, end), args.slice(end + 1)];
  const {
    values,
    positionals: [file, ...more],
  } = parsed(own, known, true);
  const { markdown, json, picture, intents, simulate, stack, cwd } = values;
  if (more.length > 0) throw refuse(`one FILE only; got ${JSON.stringify(file)} and ${JSON.stringify(more[0])}`);
  if (markdown && json) throw refuse("--markdown or --json, not both");
  if (picture && !markdown) throw refuse("--picture: only with --markdown; pulumi-ovn picture --preview FILE draws into a file");
  const running = [...(stack !== undefined ? ["--stack"] : []), ...(cwd !== undefined ? ["--cwd"] : []), ...(further.length > 0 ? ["-- ARGUMENTS"] : [])];
  if (file !== undefined && running.length > 0) throw refuse(`${running.join(", ")}: for a preview that is run, not for one that FILE holds`);
  const format = markdown ? "markdown" : json ? "json" : "text";
  return {
    file,
    format,
    maxBytes: maxBytes(values["max-bytes"], format),
    exitCode: values["exit-code"],
    picture,
    intents,
    simulate,
    save: values.save,
    stack,
    cwd,
    further,
  };
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
