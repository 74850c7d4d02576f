import { CommandError, JSON_OPTION, type Options, parsed } from "../command";
import type { SourceChoice } from "../plan/source";
import { CWD_OPTION, SELECTED_STACK_OPTION } from "../stack-file";

export const known = {
  markdown: { help: "for the comment of a pull request; default: text" },
  json: JSON_OPTION,
  html: {
    value: "FILE",
    help: "also writes a page that opens offline: the drawn difference, with the path of each connection that changes",
    completes: "file",
  },
  svg: { value: "FILE", help: "also writes an SVG: the drawn difference, with the paths of the first connections that change", completes: "file" },
  explain: { help: "show the paths of packets from FROM to TO, as the names are in the report" },
  preview: { value: "FILE", help: 'output of "pulumi preview --json --show-sames", instead of running it; "-" is standard input', completes: "file" },
  stack: { ...SELECTED_STACK_OPTION, help: "the stack to preview; default: the one that is selected" },
  cwd: CWD_OPTION,
} as const satisfies Options;

export interface SimulateOptions extends SourceChoice {
  readonly format: "text" | "markdown" | "json";
  /** File for the page. */
  readonly html: string | undefined;
  /** File for the picture. */
  readonly svg: string | undefined;
  readonly explain: { readonly from: string; readonly to: string } | undefined;
}

export function readOptions(args: readonly string[]): SimulateOptions {
  const end = args.indexOf("--");
  const [own, further] = end < 0 ? [args, []] : [args.slice(0, end), args.slice(end + 1)];
  const { values, positionals } = parsed(own, known, true);
  const { markdown, json, html, svg, explain, preview, stack, cwd } = values;
  const [from, to] = positionals;
  if (markdown && json) throw refuse("--markdown or --json, not both");
  if (explain && positionals.length !== 2) throw refuse("--explain needs FROM and TO");
  if (!explain && positionals.length > 0) throw refuse(`unexpected argument ${JSON.stringify(from)}; a preview in a file is --preview FILE`);
  if (explain && (markdown || json)) throw refuse("--explain prints text only");
  const drawn = html !== undefined ? "--html" : "--svg";
  if (explain && (html ?? svg) !== undefined) throw refuse(`--explain or ${drawn}, not both`);
  if (preview !== undefined && (stack !== undefined || cwd !== undefined || further.length > 0))
    throw refuse("--stack, --cwd and -- ARGUMENTS are for a preview that is run, not for --preview");
  return {
    file: preview,
    stack,
    cwd,
    further,
    format: markdown ? "markdown" : json ? "json" : "text",
    html,
    svg,
    explain: explain ? { from: from!, to: to! } : undefined,
  };
}

function refuse(message: string): CommandError {
  return new CommandError("OVN_USAGE", message);
}
