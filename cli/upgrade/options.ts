import { revertTime } from "../apply/revert-time";
import { CommandError, options, type Options } from "../command";
import { CWD_OPTION, SELECTED_STACK_OPTION } from "../stack/stack-file";
import { parseBatch } from "./batch";

export interface UpgradeOptions {
  /** The project's folder, or one below it. */
  readonly cwd: string;
  readonly stack: string | undefined;
  readonly network: string | undefined;
  readonly nodes: readonly string[];
  readonly batch: string;
  readonly back: boolean;
  /** Rows that help workloads which remember the other topology. undefined: kept when workloads have IPv6. */
  readonly remains: "keep" | "drop" | undefined;
  readonly loaded: boolean;
  readonly dryRun: boolean;
  /** Number of stages. Undefined: all, or one step if other stacks have nodes of the network. */
  readonly stages: number | undefined;
  readonly probe: string | undefined;
  /** Seconds. */
  readonly probeTimeout: number;
  /** Seconds. Undefined: a stage whose gates fail stays. */
  readonly revertIn: number | undefined;
  readonly settleSeconds: number | undefined;
  /** Seconds. */
  readonly gateTimeout: number;
  readonly log: string | undefined;
  readonly json: boolean;
}

export const known = {
  network: { value: "NAME", help: "the Layer2Network, by its name in the stack; default: the only one" },
  nodes: { value: "A,B", help: "these nodes move first, in this order; then the others by name" },
  batch: { value: "N|N%", help: "how many nodes move at the same time", default: "1" },
  back: { help: "return to the gateway topology, by the same stages" },
  remains: {
    value: "keep|drop",
    help: "keep: stop before removing the compatibility rows for workloads that still use the other topology; default: keep when workloads have IPv6",
    completes: ["keep", "drop"],
  },
  loaded: { help: "move nodes with their workloads running" },
  stages: { value: "N", help: "stop after so many stages; default: all; one step in a network of several stacks" },
  "dry-run": { help: "show every stage with its rows" },
  probe: { value: "COMMAND", help: "a shell command that must succeed before the first stage and after each" },
  "probe-timeout": { value: "N", help: "seconds that it may take; default: 60", formerly: "probe-seconds" },
  "revert-in": { value: "SECONDS", help: "undo a stage after this time unless its gates pass before, 10 to 3600; default: never" },
  "settle-seconds": { value: "N", help: "seconds to wait for neighbor entries; default: 5, with IPv6 workloads 75" },
  "gate-timeout": { value: "N", help: "seconds that zones may take to follow; default: 30", formerly: "gate-seconds" },
  log: { value: "FILE", help: "append events as JSON lines", completes: "file" },
  json: { help: "print the JSON lines of --log, and text on standard error" },
  stack: SELECTED_STACK_OPTION,
  cwd: CWD_OPTION,
} as const satisfies Options;

export function readOptions(args: readonly string[]): UpgradeOptions {
  const given = options(args, known);
  const { remains } = given;
  if (remains !== undefined && remains !== "keep" && remains !== "drop")
    throw new CommandError("OVN_USAGE", `--remains is keep or drop, not ${JSON.stringify(remains)}`);
  if (given.probe?.trim() === "") throw new CommandError("OVN_USAGE", "--probe needs a command");
  // The number of nodes is unknown yet. A batch that is invalid for every network is refused immediately.
  parseBatch(given.batch, 1);
  const nodes = given.nodes?.split(",").map((name) => name.trim()) ?? [];
  if (nodes.includes("")) throw new CommandError("OVN_USAGE", "--nodes has an empty name");
  return {
    cwd: given.cwd ?? ".",
    stack: given.stack,
    network: given.network,
    nodes,
    batch: given.batch,
    back: given.back,
    remains,
    loaded: given.loaded,
    dryRun: given["dry-run"],
    stages: number("stages", given.stages, 1),
    probe: given.probe,
    probeTimeout: number("probe-timeout", given["probe-timeout"], 1) ?? 60,
    revertIn: given["revert-in"] === undefined ? undefined : revertTime(given["revert-in"]),
    settleSeconds: number("settle-seconds", given["settle-seconds"], 0),
    gateTimeout: number("gate-timeout", given["gate-timeout"], 1) ?? 30,
    log: given.log,
    json: given.json,
  };
}

function number(name: string, value: string | undefined, least: number): number | undefined {
  if (value === undefined) return undefined;
  const parsed = Number(value);
  if (!/^\d{1,6}$/.test(value) || parsed < least)
    throw new CommandError("OVN_USAGE", `--${name} is a whole number, at least ${least}, not ${JSON.stringify(value)}`);
  return parsed;
}
