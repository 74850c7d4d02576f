import { type Command, CommandError, JSON_OPTION, options, type Options } from "../command";
import { endAtSignal } from "../end-at-signal";
import { type Look, watch } from "../follow";
import { connectionsOf, liveOptions, liveOptionsOf, type LiveOptions, pauseOf, watchOptions } from "../stack/live-stack";
import { during } from "../progress";
import { print } from "../output";
import { replaceFile } from "../replace-file";
import { readStackState } from "../stack/stack-state";
import { driftJson } from "./json";
import { driftMarkdown } from "./markdown";
import { driftMetrics } from "./metrics";
import { type DriftReport, exitCodeOf } from "./model";
import { needsDecryption, readDrift } from "./read";
import { driftText } from "./text";

/** Seconds between two looks. */
const INTERVAL = 300;

const known = {
  ...liveOptions,
  json: JSON_OPTION,
  markdown: { help: "for an issue or a comment; default: text" },
  metrics: { value: "FILE", help: "also write metrics for node_exporter's textfile collector", completes: "file" },
  ...watchOptions(INTERVAL),
} as const satisfies Options;

async function run(args: readonly string[]): Promise<number> {
  const { json, markdown, metrics, watch: watching, interval, ...live } = options(args, known);
  if (json && markdown) throw new CommandError("OVN_USAGE", "--markdown or --json, not both");
  const source = liveOptionsOf(live);
  const pause = pauseOf(watching, interval, INTERVAL, source);
  const shown = (report: DriftReport): string => {
    if (json) return `${JSON.stringify(driftJson(report), null, watching ? undefined : 2)}\n`;
    return markdown ? driftMarkdown(report) : driftText(report);
  };
  const once = async (): Promise<Look> => {
    const report = await readReport(source);
    if (metrics !== undefined) replaceFile(metrics, driftMetrics(report, Math.floor(Date.now() / 1000)));
    return { exitCode: exitCodeOf(report), text: shown(report) };
  };
  if (watching) return watch(once, { name: "drift", pause, json });
  using _ = endAtSignal();
  const { exitCode, text } = await once();
  print(text, json ? "json" : "text");
  return exitCode;
}

async function readReport(source: LiveOptions): Promise<DriftReport> {
  const encrypted = await readStackState(source);
  // Only then, because it needs the stack's passphrase or key. Without one, these resources are not compared, and named.
  const decrypts = source.file === undefined && needsDecryption(encrypted);
  const state = decrypts ? await readStackState({ ...source, decrypts }).catch(() => encrypted) : encrypted;
  const targets = connectionsOf(state, source);
  try {
    return await during("comparing resources", (count) => readDrift(state, targets, count));
  } finally {
    await targets.close();
  }
}

export const driftCommand: Command = {
  summary: "compare a stack's rows, flows and objects with the databases, hosts and clusters",
  forms: ["[OPTIONS]"],
  about: `Reads the stack's state, and compares each resource with its zone, host or cluster: what differs,
by target and row, who wrote it last where that is known, and what "pulumi up --refresh" would do.
Writes neither the targets nor the state, and does not run the program.`,
  options: known,
  notes: `The writer is known from owner marks, from field managers of Kubernetes objects, and from the log of
a database whose file this user can read (needs ovsdb-tool on PATH).

Exit code: 0 no drift; 2 drift; 1 a resource could not be compared, the state can't be read, or a
usage error; 129, 130, 143: ended by SIGHUP, SIGINT, SIGTERM.`,
  run,
  usageExitCode: () => 1,
};
