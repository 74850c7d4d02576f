import { commandOf } from "../../../targets/command";
import type { Host } from "../../../targets/schema";
import { SilentSwitchError } from "../errors";

/** Seconds in which a running switch answers a short question. */
export const ANSWER = 5;

/** Milliseconds for which a silent switch is not asked again: each resource of its host would wait as long. */
const SPARED = 10_000;

const asking = new Map<string, Promise<unknown>>();
const silentUntil = new Map<string, number>();

/**
 * Asks the switch of a host a short question. While a question of another resource is unanswered, this one waits. If the switch did not answer that
 * one, it is not asked again for a while.
 *
 * @throws SilentSwitchError if the switch does not answer
 */
export async function askSwitch<T>(host: Host, bridge: string, ask: () => Promise<T>): Promise<T> {
  const key = JSON.stringify(commandOf(host));
  const first = asking.get(key);
  if (first) await first.catch(() => undefined);
  if ((silentUntil.get(key) ?? 0) > performance.now()) throw new SilentSwitchError(bridge, ANSWER);
  const asked = ask();
  asking.set(key, asked);
  try {
    return await asked;
  } catch (error) {
    if (error instanceof SilentSwitchError) silentUntil.set(key, performance.now() + SPARED);
    throw error;
  } finally {
    if (asking.get(key) === asked) asking.delete(key);
  }
}
