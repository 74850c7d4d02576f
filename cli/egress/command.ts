import { didYouMean, visible } from "@pulumi-ovn/provider/tools";
import type { Zones } from "@pulumi-ovn/provider/targets";
import { type Command, CommandError, JSON_OPTION, type Options, parsed } from "../command";
import { endAtSignal } from "../end-at-signal";
import { seconds } from "../stack/live-stack";
import { print, printError, printJson } from "../output";
import { chosenStackFile, CWD_OPTION, STACK_OPTION, type StackChoice } from "../stack/stack-file";
import { drainNode, type DrainReport, restoreNode, type ZoneReport } from "./drain";

const known = {
  "dry-run": { help: "show what would change" },
  force: { help: "drain: also the last next hop; packets then leave with their own node's address" },
  timeout: {
    value: "N",
    help: "restore: seconds to wait for the flows of zone NODE; 0: don't wait; default: 60",
    formerly: "wait",
  },
  zones: { value: "A,B", help: "only these zones; default: all that are configured" },
  skip: { value: "A,B", help: "without these zones" },
  json: JSON_OPTION,
  stack: STACK_OPTION,
  cwd: CWD_OPTION,
  config: { value: "FILE", help: "path of the stack's configuration, instead of --stack and --cwd", completes: "file" },
} as const satisfies Options;

interface EgressOptions extends StackChoice {
  readonly action: "drain" | "restore";
  readonly node: string;
  readonly dryRun: boolean;
  readonly force: boolean;
  /** Seconds. */
  readonly timeout: number;
  readonly zones: string | undefined;
  readonly skip: string | undefined;
  readonly json: boolean;
}

const ACTIONS = ["drain", "restore"] as const;
const LONGEST_TIMEOUT = 3600;

function read(args: readonly string[]): EgressOptions {
  const {
    values,
    positionals: [action, node, ...more],
  } = parsed(args, known, true);
  if (action !== undefined && action !== "drain" && action !== "restore")
    throw new CommandError("OVN_USAGE", `there is no command "egress ${action}"${didYouMean(action, ACTIONS)}`);
  if (action === undefined || node === undefined || more.length > 0) {
    throw new CommandError("OVN_USAGE", "expected: egress drain NODE, or egress restore NODE; see pulumi-ovn egress --help");
  }
  if (values.force && action === "restore") throw new CommandError("OVN_USAGE", "--force is for drain only");
  if (values.timeout !== undefined && action === "drain") throw new CommandError("OVN_USAGE", "--timeout is for restore only");
  const timeout = seconds("timeout", values.timeout ?? "60", LONGEST_TIMEOUT, 0);
  const { force, zones, skip, stack, cwd, config, json } = values;
  return { action, node, dryRun: values["dry-run"], force, timeout, zones, skip, json, stack, cwd, config };
}

function chosen(zones: Zones, { zones: only, skip }: EgressOptions): Zones {
  const names = (list: string | undefined) =>
    list
      ?.split(",")
      .map((name) => name.trim())
      .filter(Boolean);
  const unknown = [...(names(only) ?? []), ...(names(skip) ?? [])].find((name) => !Object.hasOwn(zones, name));
  if (unknown !== undefined) throw new CommandError("OVN_ZONE", `zone "${unknown}" is not configured; the targets have ${Object.keys(zones).join(", ")}`);
  const left = Object.entries(zones).filter(([name]) => (names(only)?.includes(name) ?? true) && !names(skip)?.includes(name));
  if (left.length === 0)
    throw new CommandError(
      "OVN_ZONE",
      "there are no zones to work on: pass --config Pulumi.STACK.yaml with ovn:targets, or set PULUMI_OVN_TARGETS or PULUMI_OVN_ZONES",
    );
  return Object.fromEntries(left);
}

/** Whether an error is expected. A dead node's zone often dies with the node, so a drain does not fail if it can't reach this zone. */
function isExpected({ zone, error, reached = false }: ZoneReport, { action, node }: EgressOptions): boolean {
  return error !== undefined && action === "drain" && zone === node && !reached;
}

function reportText(report: DrainReport, options: EgressOptions): string {
  const { action, node, dryRun } = options;
  const lines = report.flatMap(({ zone, steps }) =>
    steps.map(({ match, before, after }) => `zone ${zone}: ${visible(match)}: ${before.join(", ") || "nothing"} -> ${after.join(", ") || "nothing"}`),
  );
  const done = action === "drain" ? "drained" : "restored";
  return [...lines, `${node}: ${lines.length} ${lines.length === 1 ? "policy" : "policies"} ${dryRun ? `would be ${done}` : done}`, ""].join("\n");
}

function reportJson(report: DrainReport, options: EgressOptions): unknown {
  const { action, node, dryRun } = options;
  const zones = report.map(({ zone, steps, error, reached = false }) => ({
    zone,
    policies: error ? [] : steps.map(({ match, before, after }) => ({ match, before, after })),
    error: error ? { reached, message: error.message } : null,
  }));
  return { version: 1, action, node, dryRun, zones };
}

export const egressCommand: Command = {
  summary: "take a dead node's next hops out of egress policies, or put them back",
  forms: ["drain NODE [OPTIONS]", "restore NODE [OPTIONS]"],
  about: `OVN does not notice that an egress node is dead. "drain" takes the node's next hops out of the
egress policies of every zone, without an update of the stack; "restore" puts them back,
once the node has caught up. Both can be repeated.

Until "restore", "pulumi refresh" shows the policies as drifted, and "pulumi up --refresh" puts the
next hops back: take the node out of the stack as well when it does not return.`,
  options: known,
  words: ACTIONS,
  notes: `The variables PULUMI_OVN_TARGETS and PULUMI_OVN_ZONES replace targets.

Exit code: 0 done; 1 a zone was not reached (with drain, one other than the node's own), a zone was
not written, or nothing could be done; 2 usage error; 129, 130, 143: ended by SIGHUP, SIGINT,
SIGTERM.`,
  async run(args) {
    const options = read(args);
    using _ = endAtSignal();
    const configured = chosenStackFile(options).zones;
    const zones = chosen(configured, options);
    const { node, dryRun, force, timeout, json } = options;
    // A node with a zone of its own exists, also when no address is on it.
    const nodes = Object.keys(configured);
    const report =
      options.action === "drain" ? await drainNode(zones, node, { nodes, dryRun, force }) : await restoreNode(zones, node, { nodes, dryRun, timeout });
    for (const each of report.filter(({ error }) => error))
      printError(
        `zone ${each.zone}: not ${each.reached ? "written" : "reached"}${isExpected(each, options) ? " (the node's own zone)" : ""}: ${each.error!.message}\n`,
      );
    if (json) printJson(reportJson(report, options));
    else print(reportText(report, options));
    return report.some((each) => each.error !== undefined && !isExpected(each, options)) ? 1 : 0;
  },
};
