import { Connections, type Host, projectFolder } from "@pulumi-ovn/provider/targets";
import type { Values } from "@pulumi-ovn/provider/tools";
import { CommandError, type Options } from "../command";
import { CWD_OPTION, projectIn, readStackFile, SELECTED_STACK_OPTION, stackFileIn } from "./stack-file";
import type { StackState, StateSource } from "./stack-state";

/** Options of commands that look at what a stack has made. */
export const liveOptions = {
  stack: SELECTED_STACK_OPTION,
  cwd: CWD_OPTION,
  state: { value: "FILE", help: 'output of "pulumi stack export", instead of running it; "-" is standard input', completes: "file" },
  timeout: { value: "N", help: "seconds that one answer of a host may take", default: "10" },
} as const satisfies Options;

/**
 * Options of commands that can look repeatedly.
 * @param seconds between two looks, if the option is not given
 */
export const watchOptions = (seconds: number) =>
  ({
    watch: { help: "repeat, and print what has changed; ends with Ctrl-C" },
    interval: { value: "N", help: `seconds between two looks of --watch; default: ${seconds}` },
  }) as const satisfies Options;

const LONGEST_INTERVAL = 3600;

/** Milliseconds between two looks, if there are several. */
export function pauseOf(watching: boolean, interval: string | undefined, standard: number, { file }: Pick<StateSource, "file">): number {
  if (interval !== undefined && !watching) throw new CommandError("OVN_USAGE", "--interval needs --watch");
  if (watching && file === "-") throw new CommandError("OVN_USAGE", "--watch reads the state at each look, and standard input is there once: name a file");
  return (interval === undefined ? standard : seconds("interval", interval, LONGEST_INTERVAL)) * 1000;
}

export interface LiveOptions extends StateSource {
  /** Seconds. */
  readonly timeout: number;
}

const LONGEST_TIMEOUT = 600;

export function liveOptionsOf({ stack, cwd, state, timeout }: Values<typeof liveOptions>): LiveOptions {
  if (state !== undefined && stack !== undefined) throw new CommandError("OVN_USAGE", "--stack or --state, not both: a state names its stack");
  return { stack, cwd, file: state, timeout: seconds("timeout", timeout, LONGEST_TIMEOUT) };
}

/** A whole number of seconds. */
export function seconds(option: string, text: string, most: number, least = 1): number {
  const value = Number(text);
  if (/^\d{1,6}$/.test(text) && value >= least && value <= most) return value;
  throw new CommandError("OVN_USAGE", `--${option} ${text}: expected seconds, ${least} to ${most}`);
}

/** Stack of a state or of a preview, and how errors call the state or the preview. */
interface StackOrigin extends Pick<StackState, "stack" | "project" | "source"> {
  /** Code of the error about another project. Default: OVN_STATE. */
  readonly code?: string;
}

/**
 * Connections to the targets that the configuration of a stack names. Timeouts of hosts are at most `timeout`, if it is given. Refuses a stack
 * of another project than the folder's, which can have a stack of the same name.
 */
export function connectionsOf(origin: StackOrigin, { cwd = ".", timeout }: Pick<LiveOptions, "cwd"> & Partial<LiveOptions>): Connections {
  const { stack } = origin;
  const folder = projectFolder(cwd);
  refuseOtherProject(origin, folder);
  const { targets, kubernetes } = readStackFile(stack === undefined ? undefined : stackFileIn(folder, stack), process.env, folder);
  const limited = (host: Host): Host => (timeout === undefined ? host : { ...host, timeout: Math.min(host.timeout ?? timeout, timeout) });
  const hosts = Object.fromEntries(Object.entries(targets.hosts).map(([name, host]) => [name, limited(host)]));
  return new Connections(targets.zones, hosts, targets.clusters, folder, kubernetes);
}

function refuseOtherProject({ project, source, code = "OVN_STATE" }: StackOrigin, folder: string): void {
  const here = projectIn(folder);
  if (!project || here === undefined || project === here) return;
  throw new CommandError(code, `${source} is of project "${project}", and the project in ${folder} is "${here}"; pass --cwd with the folder of "${project}"`);
}
