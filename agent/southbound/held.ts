import { unreadable } from "../desired/exposures";
import type { Snapshot } from "./snapshot";

/**
 * Pure. An exposure that can't be read, as a newer release has written it, is no reason to withdraw anything: what was last read of
 * it takes its place. One that was never read is left as it is.
 *
 * @param before what was read earlier, the latest first
 */
export function held(now: Snapshot["exposures"], ...before: readonly Snapshot["exposures"][]): Pick<Snapshot, "exposures" | "held"> {
  const found = Object.entries(now).map(([name, text]) => {
    const why = unreadable(text);
    const last = why === undefined ? undefined : before.map((texts) => texts[name]).find((one) => one !== undefined && unreadable(one) === undefined);
    return { name, text: last ?? text, why: last === undefined ? undefined : why };
  });
  return { exposures: Object.fromEntries(found.map(({ name, text }) => [name, text])), held: Object.fromEntries(found.flatMap(({ name, why }) => (why === undefined ? [] : [[name, why]]))) };
}
