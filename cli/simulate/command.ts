import type { Connections } from "@pulumi-ovn/provider/targets";
import { type Command, CommandError } from "../command";
import { endAtSignal } from "../end-at-signal";
import { connectionsOf } from "../stack/live-stack";
import { print } from "../output";
import type { Plan } from "../plan/plan";
import { diagnosticsOf } from "../diff/diagnostics";
import { messageText } from "../diff/render/text";
import { type Preview, readPreview } from "../plan/preview";
import { readSource } from "../plan/source";
import { replaceFile } from "../replace-file";
import { refuseBroken } from "./intents/results";
import { judgeLive } from "./live/command";
import { known, readOptions, type SimulateOptions } from "./options";
import { simulationPage, simulationPicture } from "./report/page";
import { markdownReport, textReport } from "./report/render";
import type { Report } from "./report/report";
import { explained, simulated } from "./simulated";

const FORMATS = {
  text: textReport,
  markdown: markdownReport,
  json: (report: Report) => `${JSON.stringify(report, undefined, 2)}\n`,
} as const;

async function run(args: readonly string[]): Promise<number> {
  const options = readOptions(args);
  return options.isIntentsOnly ? judgeLive(options) : simulate(options);
}

async function simulate({ format, html, svg, explain, isLive, ...source }: SimulateOptions): Promise<number> {
  const { text, name, failed } = await readSource(source);
  using _ = endAtSignal();
  const preview = readPreview(text, name);
  refuseFailed(preview, failed === true);
  const liveOf = isLive ? (plan: Plan) => targetsOf(plan, name, source.cwd) : undefined;
  if (explain) {
    print(await explained(preview, explain, liveOf));
    return 0;
  }
  const result = await simulated(preview, liveOf);
  if (html !== undefined) replaceFile(html, simulationPage(result));
  if (svg !== undefined) replaceFile(svg, simulationPicture(result));
  print(FORMATS[format](result.report), format === "json" ? "json" : "text");
  refuseBroken(result.report.intents);
  return 0;
}

function refuseFailed(preview: Preview, hasFailed: boolean): void {
  const errors = diagnosticsOf(preview).filter(({ severity }) => severity === "error");
  if (errors.length === 0 && !hasFailed) return;
  throw new CommandError("OVN_PREVIEW_FAILED", ["the preview has errors; the plan is not complete", ...errors.map(messageText)].join("\n"));
}

/** Targets of the stack that a preview is of. */
function targetsOf({ project, stack }: Plan, name: string, cwd: string | undefined): Connections {
  return connectionsOf({ project, stack: stack || undefined, source: name, code: "OVN_PREVIEW" }, { cwd });
}

export const simulateCommand: Command = {
  summary: "show what a preview does to packets",
  forms: ["[OPTIONS] [-- ARGUMENTS]", "--explain FROM TO [OPTIONS]", "--live --intents-only [OPTIONS]"],
  about: `Shows what a preview does to packets, before anything is changed. ovn-northd and ovn-trace run on
copies of each zone's databases, made from the stack's state, before and after the plan: every
workload to every other one, to load balancers, floating addresses and outside, and back. The real
databases are not connected to; with --live they are read. The same simulation judges the intents of
the program.`,
  options: known,
  notes: `ARGUMENTS are for "pulumi preview", such as --refresh.

Exit code: 0 done; 1 failed, the preview has errors, the update breaks an intent, or an intent does
not hold (--intents-only); 2 usage error; 129, 130, 143 ended by SIGHUP, SIGINT, SIGTERM, with the
preview.`,
  run,
};
