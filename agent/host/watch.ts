import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { killGroup } from "@pulumi-ovn/provider/agent";
import { watchFolder } from "./folder";
import { FRR } from "./frr/socket";
import type { ProgramEnvironment } from "./program";

/** Milliseconds in which changes count as one: those of a batch come together. */
const PAUSE = 100;

/** Milliseconds after which ip(8) is started again when it has ended. */
const RESTART = 1_000;

/** Milliseconds after its start at which ip(8) surely listens; ip(8) does not report this. It may miss changes before that. */
const LISTENS = [1_000, 5_000];

/** Milliseconds after its start at which FRR's configuration may have been read: vtysh reads it into daemons that run already. */
const FRR_READS = [0, 1_000, 5_000];

/** Milliseconds after its start at which a bridge may take flows. */
const SWITCH_READS = [0, 1_000];

export interface WatchOptions {
  /** Called immediately for each event line of the kernel. Returns whether the line may concern the agent. Default: every line does. */
  readonly onEvent?: (line: string) => boolean;
  /** Called when events may be lost, until the next line arrives. */
  readonly onLost?: () => void;
  /** Folder of the FRR daemons' sockets. */
  readonly folder?: string;
  /** Folder of ovs-vswitchd's bridge sockets. Undefined if it is not on this host. */
  readonly bridges?: string | undefined;
}

/** Calls `onChange` after changes of the host, until the returned function is called. */
export function watch(
  { command, signal }: ProgramEnvironment,
  onChange: () => void,
  { onEvent = () => true, onLost = () => undefined, folder = FRR, bridges }: WatchOptions = {},
): () => void {
  const timers = new Set<NodeJS.Timeout>();
  let ended = false;
  let pending = false;
  const later = (milliseconds: number, work: () => void) => {
    const timer = setTimeout(() => {
      timers.delete(timer);
      work();
    }, milliseconds).unref();
    timers.add(timer);
  };
  const report = () => {
    if (pending || ended) return;
    pending = true;
    later(PAUSE, () => {
      pending = false;
      onChange();
    });
  };

  let stop = () => undefined as void;
  const start = () => {
    if (ended) return;
    const [file, ...args] = [...command, "ip", "-N", "monitor", "label", "link", "address", "route", "rule", "neigh", "netconf"];
    // Has its own process group: a wrapper that runs it elsewhere may not forward the signal.
    // If no more files can be opened, the child process has no streams.
    const child: ChildProcess = spawn(file, args, { stdio: ["ignore", "pipe", "pipe"], detached: true });
    stop = () => {
      child.stdout?.destroy();
      child.stderr?.destroy();
      killGroup(child, "SIGTERM");
    };
    if (child.stdout)
      createInterface(child.stdout).on("line", (line) => {
        if (onEvent(line)) report();
      });
    const rescan = () => {
      onLost();
      report();
    };
    // ip(8) prints a line when the kernel sent more events than it could receive.
    child.stderr?.on("data", rescan);
    for (const pause of LISTENS) later(pause, report);
    let again = false;
    const restart = () => {
      if (again || ended) return;
      again = true;
      onLost();
      // Changes in between were not reported.
      later(RESTART, () => {
        start();
        report();
      });
    };
    child.once("error", restart);
    child.once("close", restart);
  };
  start();

  const starts = (environment: string, isSocket: (name: string) => boolean, pauses: readonly number[]) => {
    const started = () => {
      for (const pause of pauses) later(pause, report);
    };
    return watchFolder(environment, (name) => (isSocket(name) ? started() : undefined), started);
  };
  const watched = [starts(folder, (name) => name === "bgpd.vty", FRR_READS)];
  // A restarted switch has no flows. The kernel does not report the restart: the devices of its own datapath stay unchanged.
  if (bridges !== undefined) watched.push(starts(bridges, (name) => name.endsWith(".mgmt"), SWITCH_READS));

  const end = () => {
    ended = true;
    for (const timer of timers) clearTimeout(timer);
    for (const unwatch of watched) unwatch();
    stop();
    signal?.removeEventListener("abort", end);
  };
  signal?.addEventListener("abort", end, { once: true });
  return end;
}
