import { Connections, type Targets } from "@pulumi-ovn/provider/targets";
import { type Command, CommandError, JSON_OPTION, options, type Options } from "../command";
import { endAtSignal } from "../end-at-signal";
import { seconds } from "../stack/live-stack";
import { print, printJson } from "../output";
import { chosenStackFile, CWD_OPTION, STACK_OPTION } from "../stack/stack-file";
import { clusterFindings } from "./cluster";
import { expiriesOf } from "./expiry";
import type { Finding } from "./finding";
import { hostFacts, judgeHost } from "./host";
import { judgeZone } from "./judge-zone";
import { doctorJson, doctorText, problemsIn } from "./text";
import { zoneFacts } from "./zone-facts";

const known = {
  stack: STACK_OPTION,
  cwd: CWD_OPTION,
  json: JSON_OPTION,
  timeout: { value: "N", help: "seconds that one answer may take", default: "10" },
} as const satisfies Options;

const LONGEST_TIMEOUT = 600;

async function run(args: readonly string[]): Promise<number> {
  const { stack, cwd, json, timeout } = options(args, known);
  const longest = seconds("timeout", timeout, LONGEST_TIMEOUT);
  using _ = endAtSignal();
  const file = chosenStackFile({ cwd, stack });
  const { zones, hosts, clusters } = file.targets;
  if ([zones, hosts, clusters].every((sort) => Object.keys(sort).length === 0))
    throw new CommandError("OVN_TARGETS", "there are no targets: write a file of targets, and name it: pulumi config set ovn:targets FILE");
  const bounded = { zones: within(zones, longest), hosts: within(hosts, longest), clusters: within(clusters, longest) };
  const targets = new Connections(bounded.zones, bounded.hosts, bounded.clusters, file.folder, file.kubernetes);
  try {
    await targets.prepare();
    const findings = await findingsOf(targets, bounded);
    if (json) printJson(doctorJson(findings));
    else print(doctorText(findings, process.stdout.isTTY && process.stdout.hasColors()), "visible");
    return problemsIn(findings) === 0 ? 0 : 1;
  } finally {
    await targets.close();
  }
}

/** Targets with timeouts of at most so many seconds. */
function within<Sort extends Readonly<Record<string, { timeout?: number | undefined }>>>(sort: Sort, longest: number): Sort {
  return Object.fromEntries(Object.entries(sort).map(([name, target]) => [name, { ...target, timeout: Math.min(target.timeout ?? longest, longest) }])) as Sort;
}

async function findingsOf(targets: Connections, { zones, hosts, clusters }: Targets): Promise<readonly Finding[]> {
  const [ofZones, ofHosts, ofClusters] = await Promise.all([
    Promise.all(Object.entries(zones).map(async ([name, { tls }]) => [await zoneFacts(targets, name), await expiriesOf(tls)] as const)),
    Promise.all(Object.entries(hosts).map(async ([name, { tls }]) => [await hostFacts(targets, name), await expiriesOf(tls)] as const)),
    Promise.all(Object.keys(clusters).map((name) => clusterFindings(targets, name))),
  ]);
  const now = Date.now();
  const all = ofZones.map(([facts]) => facts);
  return [
    ...ofZones.flatMap(([facts, expiries]) => judgeZone(facts, all, expiries, now)),
    ...ofHosts.flatMap(([facts, expiries]) => judgeHost(facts, expiries, now)),
    ...ofClusters.flat(),
  ];
}

export const doctorCommand: Command = {
  summary: "check every target before an update",
  forms: ["[OPTIONS]"],
  about: `Checks every target of a stack's file of targets, all at the same time: whether it can be reached,
is the right database, is new enough, and may be written; whether northd and the chassis have caught
up, remote chassis are there, clocks agree, and certificates are valid. One line for each check:
"!" is a problem, "-" a note. Changes nothing, and needs neither Pulumi nor a state: run it before
the first "pulumi up".`,
  options: known,
  notes: `The variables PULUMI_OVN_TARGETS and PULUMI_OVN_ZONES replace targets, as for "pulumi up".

Exit code: 0 no problem; 1 a problem, or the targets can't be read; 2 usage error; 129, 130, 143:
ended by SIGHUP, SIGINT, SIGTERM.`,
  run,
};
