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
  const delays = new Delays();
  let pending = false;
  const report = () => {
    if (pending || delays.ended) return;
    pending = true;
    delays.after(PAUSE, () => {
      pending = false;
      onChange();
    });
  };
  const stop = watchKernel(command, delays, { report, onEvent, onLost });
  const starts = (environment: string, isSocket: (name: string) => boolean, pauses: readonly number[]) => {
    const started = () => {
      for (const pause of pauses) delays.after(pause, report);
    };
    return watchFolder(environment, (name) => (isSocket(name) ? started() : undefined), started);
  };
  const watched = [starts(folder, (name) => name === "bgpd.vty", FRR_READS)];
  // A restarted switch has no flows. The kernel does not report the restart: the devices of its own datapath stay unchanged.
  if (bridges !== undefined) watched.push(starts(bridges, (name) => name.endsWith(".mgmt"), SWITCH_READS));

  const end = () => {
    delays.end();
    for (const unwatch of watched) unwatch();
    stop();
    signal?.removeEventListener("abort", end);
  };
  signal?.addEventListener("abort", end, { once: true });
  return end;
}

/** Work that is due later, as long as the watch goes on. */
class Delays {
  readonly #timers = new Set<NodeJS.Timeout>();
  ended = false;

  after(milliseconds: number, work: () => void): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      work();
    }, milliseconds).unref();
    this.#timers.add(timer);
  }

  end(): void {
    this.ended = true;
    for (const timer of this.#timers) clearTimeout(timer);
  }
}

interface KernelEvents {
  readonly report: () => void;
  readonly onEvent: (line: string) => boolean;
  readonly onLost: () => void;
}

/** Reports the kernel's events, by a program that is started again when it ends. Returns a function that ends it. */
function watchKernel(command: readonly string[], delays: Delays, { report, onEvent, onLost }: KernelEvents): () => void {
  let stop = () => undefined as void;
  const start = () => {
    if (delays.ended) return;
    const [file, ...args] = [...command, "ip", "-N", "monitor", "label", "link", "address", "route", "rule", "neigh", "netconf"];
    // Has its own process group: a wrapper that runs it elsewhere may not forward the signal.
    // If no more files can be opened, the child process has no streams.
    const child: ChildProcess = spawn(file!, args, { stdio: ["ignore", "pipe", "pipe"], detached: true });
    stop = () => {
      child.stdout?.destroy();
      child.stderr?.destroy();
      killGroup(child, "SIGTERM");
    };
    if (child.stdout)
      createInterface(child.stdout).on("line", (line) => {
        if (onEvent(line)) report();
      });
    // ip(8) prints a line when the kernel sent more events than it could receive.
    child.stderr?.on("data", () => {
      onLost();
      report();
    });
    for (const pause of LISTENS) delays.after(pause, report);
    let again = false;
    const restart = () => {
      if (again || delays.ended) return;
      again = true;
      onLost();
      // Changes in between were not reported.
      delays.after(RESTART, () => {
        start();
        report();
      });
    };
    child.once("error", restart);
    child.once("close", restart);
  };
  start();
  return () => stop();
}
