import { Connections, type Host, projectFolder } from "@pulumi-ovn/provider/targets";
import { CommandError } from "./command";
import { readStackFile, stackFileIn } from "./stack-file";
import type { StackState, StateSource } from "./stack-state";

/** Options of commands that look at what a stack has made. */
export const liveOptions = { stack: { type: "string" }, cwd: { type: "string" }, state: { type: "string" }, timeout: { type: "string" } } as const;

export const LIVE_USAGE = `  --stack NAME     the stack; default: the one that is selected
  --cwd DIR        the project's folder, or one below it; default: this one
  --state FILE     what "pulumi stack export" printed, in place of running it; "-" is standard input
  --timeout N      seconds that one answer of a host may take; default: 10`;

export interface LiveOptions extends StateSource {
  /** Seconds. */
  readonly timeout: number;
}

const LONGEST_TIMEOUT = 600;

export function liveOptionsOf({
  stack,
  cwd,
  state,
  timeout = "10",
}: {
  readonly stack?: string;
  readonly cwd?: string;
  readonly state?: string;
  readonly timeout?: string;
}): LiveOptions {
  if (state !== undefined && stack !== undefined) throw new CommandError("OVN_USAGE", "--stack or --state, not both: a state names its stack");
  return { stack, cwd, file: state, timeout: seconds("timeout", timeout, LONGEST_TIMEOUT) };
}

/** A whole number of seconds from 1. */
export function seconds(option: string, text: string, most: number): number {
  const value = Number(text);
  if (/^\d{1,6}$/.test(text) && value >= 1 && value <= most) return value;
  throw new CommandError("OVN_USAGE", `--${option} ${text}: expected seconds, 1 to ${most}`);
}

/** Connections to the targets that the configuration of a state's stack names, with timeouts of at most `timeout`. */
export function connectionsOf({ stack }: StackState, { cwd = ".", timeout }: Pick<LiveOptions, "cwd" | "timeout">): Connections {
  const folder = projectFolder(cwd);
  const { targets } = readStackFile(stack === undefined ? undefined : stackFileIn(folder, stack), process.env, folder);
  const hosts = Object.fromEntries(
    Object.entries(targets.hosts).map(([name, host]): [string, Host] => [name, { ...host, timeout: Math.min(host.timeout ?? timeout, timeout) }]),
  );
  return new Connections(targets.zones, hosts, targets.clusters, folder);
}
