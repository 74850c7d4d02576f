import { didYouMean } from "@pulumi-ovn/provider/tools";
import { CommandError, type Options, options } from "../command";
import { CWD_OPTION, SELECTED_STACK_OPTION } from "../stack/stack-file";
import { type ViewName, views } from "./views";

const VIEWS = Object.keys(views) as readonly ViewName[];

export const known = {
  svg: { help: "a self-contained SVG file; the default" },
  html: { help: "a page that opens offline, with zoom, search, rows and arguments" },
  mermaid: { help: "a Mermaid flowchart of at most 50000 characters, for comments and Markdown" },
  view: { value: "VIEW", help: `one of: ${VIEWS.join(", ")}`, default: "topology", completes: VIEWS },
  network: { value: "NAME", help: "only this network or VPC; default: all" },
  out: { value: "FILE", help: "file to write; default: standard output", completes: "file" },
  state: { value: "FILE", help: 'output of "pulumi stack export", instead of running it; "-" is standard input', completes: "file" },
  preview: { value: "FILE", help: 'output of "pulumi preview --json --show-sames": draws the difference; "-" is standard input', completes: "file" },
  stack: SELECTED_STACK_OPTION,
  cwd: CWD_OPTION,
} as const satisfies Options;

export type FormatName = "svg" | "html" | "mermaid";

export interface PictureOptions {
  readonly format: FormatName;
  readonly view: ViewName;
  readonly network: string | undefined;
  readonly out: string | undefined;
  readonly state: string | undefined;
  readonly preview: string | undefined;
  readonly stack: string | undefined;
  readonly cwd: string | undefined;
}

export function readOptions(args: readonly string[]): PictureOptions {
  const { svg, html, mermaid, view, ...values } = options(args, known);
  const formats = Object.entries({ svg, html, mermaid }).flatMap(([name, isGiven]) => (isGiven ? [name as FormatName] : []));
  if (formats.length > 1) throw refuse(`--${formats.join(" or --")}, not both`);
  const { state, preview, stack } = values;
  if (state !== undefined && preview !== undefined) throw refuse("--state or --preview, not both");
  if (stack !== undefined && (state ?? preview) !== undefined) throw refuse("--stack: for the state of a stack, not for one that a file contains");
  return { ...values, format: formats[0] ?? "svg", view: viewOf(view) };
}

function viewOf(name: string): ViewName {
  const view = VIEWS.find((each) => each === name);
  if (view !== undefined) return view;
  throw refuse(`--view ${name}: there is no such view${didYouMean(name, VIEWS)}`);
}

function refuse(message: string): CommandError {
  return new CommandError("OVN_USAGE", message);
}
