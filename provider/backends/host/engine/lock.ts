import type { Lock, OvsdbClient } from "@pulumi-ovn/ovsdb-client";
import { HostStateError } from "../errors";

/** Lock in a host's Open vSwitch database (RFC 7047, 4.1.8). It ends with the connection of the process that holds it. */
export const UPDATE_LOCK = "pulumi_ovn_update";

/** Milliseconds after which an update gives up waiting: one resource takes seconds. */
const PATIENCE = 120_000;

interface Holding {
  users: number;
  readonly lock: Promise<Lock>;
}

const holdings = new WeakMap<OvsdbClient, Holding>();

/**
 * Does work on a host while no other process does: an update, or the host's agent. Work of one process may overlap.
 *
 * @param signal ends the wait
 * @param patience milliseconds to wait for the other one
 */
export async function exclusively<T>(client: OvsdbClient, signal: AbortSignal | undefined, work: () => Promise<T>, patience = PATIENCE): Promise<T> {
  const holding = holdings.get(client) ?? { users: 0, lock: client.lock(UPDATE_LOCK) };
  holdings.set(client, holding);
  holding.users++;
  try {
    await acquired(await holding.lock, client, signal, patience);
    return await work();
  } finally {
    if (--holding.users === 0) {
      holdings.delete(client);
      await holding.lock.then((lock) => lock.release()).catch(() => undefined);
    }
  }
}

async function acquired(lock: Lock, { endpoint }: OvsdbClient, signal: AbortSignal | undefined, patience: number): Promise<void> {
  if (lock.held) return;
  const late = patience === Infinity ? undefined : AbortSignal.timeout(patience);
  try {
    await lock.acquired({ signal: AbortSignal.any([signal, late].filter((each) => each !== undefined)) });
  } catch (error) {
    if (!late?.aborted) throw error;
    throw new HostStateError(
      "OVN_HOST_BUSY",
      `another process has changed this host for ${patience / 1000} s: it holds the lock "${UPDATE_LOCK}" of the host's Open vSwitch database (${endpoint}); end the other update, or restart the host's agent`,
    );
  }
}
