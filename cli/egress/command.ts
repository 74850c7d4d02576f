import { didYouMean } from "@pulumi-ovn/provider/tools";
import type { Zones } from "@pulumi-ovn/provider/targets";
import { type Command, CommandError, parsed } from "../command";
import { endAtSignal } from "../end-at-signal";
import { chosenStackFile, type StackChoice } from "../stack-file";
import { drainNode, type DrainReport, restoreNode } from "./drain";

const usage = `Usage: pulumi-ovn egress drain NODE [OPTIONS]
       pulumi-ovn egress restore NODE [OPTIONS]

OVN does not notice that an egress node is dead. "drain" takes the node's next hops out of the
egress policies of every zone at once, without an update of the stack; "restore" puts them back,
once the node has caught up. Both can be repeated.

Until "restore", "pulumi refresh" shows the policies as drifted, and "pulumi up --refresh" puts the
next hops back: take the node out of the stack as well when it does not return.

Options:
  --dry-run        show what would be done, and do nothing
  --force          drain: also where no next hop is left; such packets leave with the address of
                   their own node
  --timeout N      restore: seconds that the zone that is called like NODE may take to install its
                   flows; 0: don't wait; default: 60
  --zones A,B      only these zones; default: all that are configured
  --skip A,B       without these zones
  --stack NAME     the stack, whose configuration names the file of targets (ovn:targets); default:
                   the only one with a Pulumi.STACK.yaml in the project
  --cwd DIR        the project's folder, or one below it; default: this one
  --config FILE    the stack's configuration by its path, instead of --stack and --cwd

The variables PULUMI_OVN_TARGETS and PULUMI_OVN_ZONES replace targets.

Exit code: 0 done; 1 a zone was not reached (with drain, one other than the node's own), a zone was
not written, or nothing could be done; 2 not understood; 129, 130, 143: ended by SIGHUP, SIGINT,
SIGTERM.
`;

interface Options extends StackChoice {
  readonly action: "drain" | "restore";
  readonly node: string;
  readonly dryRun: boolean;
  readonly force: boolean;
  /** Seconds. */
  readonly timeout: number;
  readonly zones: string | undefined;
  readonly skip: string | undefined;
}

const LONGEST_TIMEOUT = 3600;

const text = { type: "string" } as const;
const flag = { type: "boolean", default: false } as const;
const known = { "dry-run": flag, force: flag, timeout: text, zones: text, skip: text, stack: text, cwd: text, config: text } as const;

function read(args: readonly string[]): Options {
  const {
    values,
    positionals: [action, node, ...more],
  } = parsed(args, known, true);
  if (action !== undefined && action !== "drain" && action !== "restore")
    throw new CommandError("OVN_USAGE", `there is no command "egress ${action}"${didYouMean(action, ["drain", "restore"])}`);
  if (action === undefined || node === undefined || more.length > 0) {
    throw new CommandError("OVN_USAGE", "expected: egress drain NODE, or egress restore NODE; see pulumi-ovn egress --help");
  }
  if (values.force && action === "restore") throw new CommandError("OVN_USAGE", "--force is for drain only");
  if (values.timeout !== undefined && action === "drain") throw new CommandError("OVN_USAGE", "--timeout is for restore only");
  const timeout = Number(values.timeout ?? 60);
  if (!/^\d+$/.test(values.timeout ?? "60") || timeout > LONGEST_TIMEOUT)
    throw new CommandError("OVN_USAGE", `--timeout ${values.timeout}: expected seconds, 0 to ${LONGEST_TIMEOUT}`);
  const { force, zones, skip, stack, cwd, config } = values;
  return { action, node, dryRun: values["dry-run"], force, timeout, zones, skip, stack, cwd, config };
}

function chosen(zones: Zones, { zones: only, skip }: Options): Zones {
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

/** A dead node's own zone often died with it: that it does not answer is no failure of a drain. */
function print(report: DrainReport, { action, node, dryRun }: Options): number {
  let code = 0;
  let changed = 0;
  for (const { zone, steps, error, reached = false } of report) {
    if (error) {
      const own = action === "drain" && zone === node && !reached;
      if (!own) code = 1;
      process.stderr.write(`zone ${zone}: not ${reached ? "written" : "reached"}${own ? " (the node's own zone)" : ""}: ${error.message}\n`);
      continue;
    }
    for (const { match, before, after } of steps)
      process.stdout.write(`zone ${zone}: ${match}: ${before.join(", ") || "nothing"} -> ${after.join(", ") || "nothing"}\n`);
    changed += steps.length;
  }
  const done = action === "drain" ? "drained" : "restored";
  process.stdout.write(`${node}: ${changed} ${changed === 1 ? "policy" : "policies"} ${dryRun ? `would be ${done}` : done}\n`);
  return code;
}

export const egressCommand: Command = {
  summary: "take a dead node's next hops out of egress policies, or put them back",
  usage,
  async run(args) {
    const options = read(args);
    using _ = endAtSignal();
    const configured = chosenStackFile(options).zones;
    const zones = chosen(configured, options);
    const { node, dryRun, force, timeout } = options;
    // A node with a zone of its own exists, also when no address is on it.
    const nodes = Object.keys(configured);
    const report =
      options.action === "drain" ? await drainNode(zones, node, { nodes, dryRun, force }) : await restoreNode(zones, node, { nodes, dryRun, timeout });
    return print(report, options);
  },
};
