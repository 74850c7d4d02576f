import { type Command, CommandError } from "../command";
import { endAtSignal } from "../end-at-signal";
import { planOf } from "../plan/plan";
import { readPreview } from "../plan/preview";
import { readSource } from "../plan/source";
import { explanation } from "./explain";
import { rowNames } from "./names";
import { known, readOptions } from "./options";
import { programs } from "./programs";
import { markdownReport, textReport } from "./render";
import { type Report, reportOf } from "./report";
import { Baseline } from "./simulation";

const FORMATS = {
  text: textReport,
  markdown: markdownReport,
  json: (report: Report) => `${JSON.stringify(report, undefined, 2)}\n`,
} as const;

async function run(args: readonly string[]): Promise<number> {
  const { format, explain, ...source } = readOptions(args);
  const found = await programs();
  const { text, name, failed } = await readSource(source);
  if (failed) throw new CommandError("OVN_PREVIEW_FAILED", "the preview has errors; the plan is not complete");
  const plan = planOf(readPreview(text, name));
  using _ = endAtSignal();
  await using baseline = await Baseline.create(plan, found);
  const simulation = await baseline.simulate(plan);
  process.stdout.write(explain ? explanation(simulation.compared, rowNames(plan), explain.from, explain.to) : FORMATS[format](reportOf(plan, simulation)));
  return 0;
}

export const simulateCommand: Command = {
  summary: "show what a preview does to packets: who loses or gains a way",
  forms: ["[OPTIONS] [-- ARGUMENTS]", "--explain FROM TO [OPTIONS]"],
  about: `Shows what a preview does to packets, before anything is changed. ovn-northd and ovn-trace run on
copies of each zone's databases, made from the stack's state, before and after the plan: every
workload to every other one, to load balancers, floating addresses and outside, and back. The real
databases are not connected to.`,
  options: known,
  notes: `What follows "--" is for "pulumi preview", such as --refresh.

Exit code: 0 done; 1 failed, or the preview has errors; 2 usage error; 129, 130, 143: ended by
SIGHUP, SIGINT, SIGTERM, with the preview.`,
  run,
};
