import { spawn } from "node:child_process";
import { watch as watchFolder, type FSWatcher } from "node:fs";
import { createInterface } from "node:readline";
import { PROTOCOL } from "./kernel/names";
import type { Place } from "./program";

/** Milliseconds in which changes count as one: those of a batch come together. */
const PAUSE = 100;

/** Milliseconds after which ip(8) is started again when it has ended. */
const RESTART = 1_000;

/** Where FRR's daemons have their sockets. */
const FRR = "/run/frr";

/** Milliseconds after its start at which FRR's configuration may have been read: vtysh reads it into daemons that run already. */
const FRR_READS = [0, 1_000, 5_000];

/**
 * Pure. Whether a line of `ip monitor label` may be about what the agent wants or has. Hosts learn neighbours, and routes of
 * other tables, all the time. (Linux tells nothing of proxies: those are found at the daemon's own intervals.)
 */
export function concerns(line: string, tables: readonly number[] = []): boolean {
  if (line.startsWith("[NEIGH]")) return line.includes(" PERMANENT") || line.includes(` proto ${PROTOCOL} `);
  if (line.startsWith("[ROUTE]")) return line.includes(` proto ${PROTOCOL} `) || tables.includes(Number(/ table (\d+)/.exec(line)?.[1]));
  return line.startsWith("[");
}

/**
 * Tells that something has changed on the host, until it is called off.
 *
 * @param options.tables routing tables in which others' routes are of interest, too
 * @param options.folder where FRR's daemons make their sockets
 */
export function watch({ command, signal }: Place, onChange: () => void, { tables = () => [], folder = FRR }: { readonly tables?: () => readonly number[]; readonly folder?: string } = {}): () => void {
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
    const [file, ...args] = [...command, "ip", "monitor", "label", "link", "address", "route", "rule", "neigh"];
    // A process group of its own: what runs it on another place may not hand on the signal.
    const child = spawn(file, args, { stdio: ["ignore", "pipe", "pipe"], detached: true });
    stop = () => {
      child.stdout.destroy();
      child.stderr.destroy();
      try {
        if (child.pid !== undefined) process.kill(-child.pid);
      } catch {
        // It has ended.
      }
    };
    createInterface(child.stdout).on("line", (line) => {
      if (concerns(line, tables())) tell();
    });
    // It says so where the kernel had more news than it could take.
    child.stderr.on("data", tell);
    let again = false;
    const restart = () => {
      if (again || ended) return;
      again = true;
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

  let sockets: FSWatcher | undefined;
  try {
    sockets = watchFolder(folder, { persistent: false }, (_, name) => {
      if (name === "bgpd.vty") for (const pause of FRR_READS) later(pause, tell);
    });
    sockets.on("error", () => sockets?.close());
  } catch {
    // FRR has never run here, or runs elsewhere: the daemon's own intervals find it.
  }

  const end = () => {
    ended = true;
    for (const timer of timers) clearTimeout(timer);
    sockets?.close();
    stop();
    signal?.removeEventListener("abort", end);
  };
  signal?.addEventListener("abort", end, { once: true });
  return end;
}
