import { CommandError, options } from "../command";
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
  /** At most so many stages. */
  readonly stages: number;
  readonly probe: string | undefined;
  /** Seconds. */
  readonly probeTimeout: number;
  readonly settleSeconds: number | undefined;
  /** Seconds. */
  readonly gateTimeout: number;
  readonly log: string | undefined;
}

const text = { type: "string" } as const;
const flag = { type: "boolean", default: false } as const;

const known = {
  cwd: text,
  stack: text,
  network: text,
  nodes: text,
  batch: text,
  back: flag,
  remains: text,
  loaded: flag,
  "dry-run": flag,
  stages: text,
  probe: text,
  "probe-timeout": text,
  "settle-seconds": text,
  "gate-timeout": text,
  log: text,
} as const;

export const usage = `Usage: pulumi-ovn upgrade [OPTIONS]

Moves a live Layer2Network from the gateway topology to the transit topology, stage by stage: each
is a state of ovn:topology in the stack's configuration and one ordinary update, with gates before
and after. A failed gate halts with a network that works; run again to go on. See docs/upgrade.md.

  --network NAME        the Layer2Network, by its name in the stack; default: the only one
  --nodes A,B           these nodes move first, in this order; then the others by name
  --batch N | N%        how many nodes move at once; default: 1
  --back                return to the gateway topology, by the same stages
  --remains keep|drop   whether the rollout ends before it removes the rows that help workloads
                        which remember the other topology; default: keep when workloads have IPv6
  --loaded              move nodes with their workloads running
  --stages N            stop after so many stages
  --dry-run             show every stage and its rows, and change nothing
  --probe COMMAND       a shell command that must succeed before the first stage and after each
  --probe-timeout N     seconds that it may take; default: 60
  --settle-seconds N    wait that long where neighbour entries have to be renewed; default: 5, with
                        IPv6 workloads 75
  --gate-timeout N      seconds that zones may take to follow; default: 30
  --log FILE            append what happens as JSON lines
  --stack NAME          default: the selected one
  --cwd DIR             the project's folder; default: this one

Exit code: 0 done; 1 halted or refused; 2 not understood; 130 interrupted.
`;

export function readOptions(args: readonly string[]): UpgradeOptions {
  const given = options(args, known);
  const { remains } = given;
  if (remains !== undefined && remains !== "keep" && remains !== "drop")
    throw new CommandError("OVN_USAGE", `--remains is keep or drop, not ${JSON.stringify(remains)}`);
  if (given.probe?.trim() === "") throw new CommandError("OVN_USAGE", "--probe needs a command");
  // Of how many nodes is not known yet; what no network could do is refused at once.
  parseBatch(given.batch ?? "1", 1);
  const nodes = given.nodes?.split(",").map((name) => name.trim()) ?? [];
  if (nodes.includes("")) throw new CommandError("OVN_USAGE", "--nodes has an empty name");
  return {
    cwd: given.cwd ?? ".",
    stack: given.stack,
    network: given.network,
    nodes,
    batch: given.batch ?? "1",
    back: given.back,
    remains,
    loaded: given.loaded,
    dryRun: given["dry-run"],
    stages: number("stages", given.stages, 1) ?? Infinity,
    probe: given.probe,
    probeTimeout: number("probe-timeout", given["probe-timeout"], 1) ?? 60,
    settleSeconds: number("settle-seconds", given["settle-seconds"], 0),
    gateTimeout: number("gate-timeout", given["gate-timeout"], 1) ?? 30,
    log: given.log,
  };
}

function number(name: string, value: string | undefined, least: number): number | undefined {
  if (value === undefined) return undefined;
  const parsed = Number(value);
  if (!/^\d{1,6}$/.test(value) || parsed < least)
    throw new CommandError("OVN_USAGE", `--${name} is a whole number, at least ${least}, not ${JSON.stringify(value)}`);
  return parsed;
}
