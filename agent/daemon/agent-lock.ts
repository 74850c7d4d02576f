import { setTimeout as sleep } from "node:timers/promises";
import type { OvsdbClient } from "@pulumi-ovn/ovsdb-client";
import { AgentError } from "./errors";

/** Lock in the host's Open_vSwitch database. Its holder is the agent of the chassis. */
export const LOCK = "pulumi_ovn_bgp_agent";

/** Milliseconds in which an ending agent releases the lock. */
const GRACE = 1_500;

/**
 * Acquires the lock of the host. Rejects if another agent holds it. Calls `lost` if another agent acquires it later, which can happen
 * after a restart of the database server.
 */
export async function acquireAgentLock(client: OvsdbClient, signal: AbortSignal, lost: (error: AgentError) => void, name = LOCK): Promise<void> {
  const lock = await client.lock(name, { signal });
  const isHeld = async () => {
    const waiting = AbortSignal.any([signal, AbortSignal.timeout(GRACE)]);
    await lock.acquired({ signal: waiting }).catch(() => undefined);
    signal.throwIfAborted();
    return lock.held;
  };
  const other = () =>
    new AgentError(
      "OVN_AGENT_RUNNING",
      `another agent runs on this chassis: it holds the lock "${name}" of the host's Open vSwitch database (${client.endpoint}); stop one of the two`,
    );
  if (!(await isHeld())) throw other();
  lock.subscribe({
    lost: () =>
      void (async () => {
        // Without a connection its holder is unknown. The next connection asks, and may be lost before the answer.
        do {
          while (!client.connected) await sleep(GRACE, undefined, { signal });
          if (await isHeld()) return;
        } while (!client.connected);
        lost(other());
      })().catch(() => undefined),
  });
}
