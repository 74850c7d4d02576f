import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { killGroup } from "@pulumi-ovn/provider/agent";
import { watchFolder } from "./folder";
import type { Place } from "./program";

/** Milliseconds in which changes count as one: those of a batch come together. */
const PAUSE = 100;

/** Milliseconds after which ip(8) is started again when it has ended. */
const RESTART = 1_000;

/** Milliseconds after its start at which ip(8) surely listens, which it does not say: what has changed by then it may not have heard. */
const LISTENS = [1_000, 5_000];

/** Where FRR's daemons have their sockets. */
const FRR = "/run/frr";

/** Milliseconds after its start at which FRR's configuration may have been read: vtysh reads it into daemons that run already. */
const FRR_READS = [0, 1_000, 5_000];

/** Milliseconds after its start at which a bridge may take flows. */
const SWITCH_READS = [0, 1_000];

export interface WatchOptions {
  /** Each line of the kernel's news, at once; whether something may have changed that the agent wants or has. Default: any line has. */
  readonly heard?: (line: string) => boolean;
  /** From now until the next line nothing may be heard, and something may have been missed. */
  readonly deaf?: () => void;
  /** Where FRR's daemons make their sockets. */
  readonly folder?: string;
  /** Where ovs-vswitchd makes those of its bridges. Undefined: not on this host. */
  readonly bridges?: string | undefined;
}

/** Tells that something has changed on the host, until it is called off. */
export function watch(
  { command, signal }: Place,
  onChange: () => void,
  { heard = () => true, deaf = () => undefined, folder = FRR, bridges }: WatchOptions = {},
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
  const tell = () => {
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
    // A process group of its own: what runs it on another place may not hand on the signal.
    // Where no more files can be opened it comes without streams.
    const child: ChildProcess = spawn(file, args, { stdio: ["ignore", "pipe", "pipe"], detached: true });
    stop = () => {
      child.stdout?.destroy();
      child.stderr?.destroy();
      killGroup(child, "SIGTERM");
    };
    if (child.stdout)
      createInterface(child.stdout).on("line", (line) => {
        if (heard(line)) tell();
      });
    const missed = () => {
      deaf();
      tell();
    };
    // It says so where the kernel had more news than it could take.
    child.stderr?.on("data", missed);
    for (const pause of LISTENS) later(pause, tell);
    let again = false;
    const restart = () => {
      if (again || ended) return;
      again = true;
      deaf();
      // What has changed meanwhile was not told.
      later(RESTART, () => {
        start();
        tell();
      });
    };
    child.once("error", restart);
    child.once("close", restart);
  };
  start();

  const starts = (place: string, isSocket: (name: string) => boolean, pauses: readonly number[]) => {
    const started = () => {
      for (const pause of pauses) later(pause, tell);
    };
    return watchFolder(place, (name) => (isSocket(name) ? started() : undefined), started);
  };
  const watched = [starts(folder, (name) => name === "bgpd.vty", FRR_READS)];
  // A switch that has started has no flows, which the kernel does not tell: the devices of its own datapath stay as they are.
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
