import { CommandError, JSON_OPTION, type Options, parsed } from "../command";
import type { SourceChoice } from "../plan/source";
import { CWD_OPTION, SELECTED_STACK_OPTION } from "../stack/stack-file";

export const known = {
  markdown: { help: "for the comment of a pull request; default: text" },
  json: JSON_OPTION,
  html: {
    value: "FILE",
    help: "also write a page that opens offline: the difference, and paths of changed connections",
    completes: "file",
  },
  svg: { value: "FILE", help: "also write an SVG: the difference, and paths of the first changed connections", completes: "file" },
  explain: { help: "show the paths of packets from FROM to TO, names in the report" },
  live: { help: "begin with the live databases instead of the state; only reads them" },
  "intents-only": { help: "with --live: judge only the intents, without a preview" },
  state: { value: "FILE", help: 'with --intents-only: output of "pulumi stack export", instead of running it; "-" is standard input', completes: "file" },
  preview: { value: "FILE", help: 'output of "pulumi preview --json --show-sames", instead of running it; "-" is standard input', completes: "file" },
  stack: SELECTED_STACK_OPTION,
  cwd: CWD_OPTION,
} as const satisfies Options;

export interface SimulateOptions extends SourceChoice {
  readonly format: "text" | "markdown" | "json";
  /** File for the page. */
  readonly html: string | undefined;
  /** File for the picture. */
  readonly svg: string | undefined;
  /** Copy the live databases, instead of the state. */
  readonly isLive: boolean;
  /** Judge intents of the live databases, without a preview. */
  readonly isIntentsOnly: boolean;
  /** File with the stack's state. */
  readonly state: string | undefined;
  readonly explain: { readonly from: string; readonly to: string } | undefined;
}

export function readOptions(args: readonly string[]): SimulateOptions {
  const end = args.indexOf("--");
  const [own, further] = end < 0 ? [args, []] : [args.slice(0, end), args.slice(end + 1)];
  const { values, positionals } = parsed(own, known, true);
  const { markdown, json, html, svg, explain, live, "intents-only": isIntentsOnly, state, preview, stack, cwd } = values;
  const [from, to] = positionals;
  if (markdown && json) throw refuse("--markdown or --json, not both");
  if (explain && positionals.length !== 2) throw refuse("--explain needs FROM and TO");
  if (!explain && positionals.length > 0) throw refuse(`unexpected argument ${JSON.stringify(from)}; a preview in a file is --preview FILE`);
  if (explain && (markdown || json)) throw refuse("--explain prints text only");
  const drawn = html !== undefined ? "--html" : "--svg";
  if (explain && (html ?? svg) !== undefined) throw refuse(`--explain or ${drawn}, not both`);
  // The databases' targets are in the project's folder.
  if (preview !== undefined && (stack !== undefined || (cwd !== undefined && !live) || further.length > 0))
    throw refuse("--stack, --cwd and -- ARGUMENTS are for a preview that is run, not for --preview");
  if (isIntentsOnly && !live) throw refuse("--intents-only needs --live");
  if (isIntentsOnly && (explain || (html ?? svg) !== undefined || preview !== undefined || further.length > 0))
    throw refuse("--intents-only needs no preview: pass it without --explain, --html, --svg, --preview and -- ARGUMENTS");
  if (state !== undefined && !isIntentsOnly) throw refuse("--state is for --intents-only; a preview in a file is --preview FILE");
  if (state !== undefined && stack !== undefined) throw refuse("--stack or --state, not both: a state names its stack");
  return {
    file: preview,
    stack,
    cwd,
    further,
    format: markdown ? "markdown" : json ? "json" : "text",
    html,
    svg,
    isLive: live,
    isIntentsOnly,
    state,
    explain: explain ? { from: from!, to: to! } : undefined,
  };
}

function refuse(message: string): CommandError {
  return new CommandError("OVN_USAGE", message);
}
