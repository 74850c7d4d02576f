import type { Connections } from "../../targets/connections";

/** Milliseconds for which a wait that has failed counts for resources that ask later: Pulumi checks the resources of a VPC in batches. */
const COUNTS = 1_000;

/** A wait of several resources for BFD sessions. */
interface Wait {
  /** By performance.now(). */
  readonly startedAt: number;
  readonly key: string;
  readonly waits: Map<string, Wait>;
  resources: number;
  ended: number;
}

const all = new WeakMap<Connections, Map<string, Wait>>();

/** Joins the wait of the resources with a key, so that all have one deadline. Each resource leaves it with `leaveWait`. */
export function joinWait(targets: Connections, key: string): Wait {
  const waits = all.get(targets) ?? new Map<string, Wait>();
  all.set(targets, waits);
  const found = waits.get(key);
  const now = performance.now();
  const wait = found && (found.resources > 0 || now - found.ended < COUNTS) ? found : { startedAt: now, key, waits, resources: 0, ended: 0 };
  waits.set(key, wait);
  wait.resources++;
  return wait;
}

/** @param isUp all sessions of the resource are up: the next wait is a new one */
export function leaveWait(wait: Wait, isUp: boolean): void {
  wait.resources--;
  wait.ended = performance.now();
  if (isUp && wait.resources === 0 && wait.waits.get(wait.key) === wait) wait.waits.delete(wait.key);
}
