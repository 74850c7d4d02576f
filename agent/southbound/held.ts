import { naming, type Snapshot, unreadable } from "@pulumi-ovn/provider/agent";

/**
 * Pure. An exposure that can't be read, as a newer release has written it, is no reason to withdraw anything: what was last read of
 * it takes its place. One that was never read is left as it is, as is one that did not name the chassis then: it may do so now.
 *
 * @param before what was last read
 */
export function held(chassis: Snapshot["chassis"], now: Snapshot["exposures"], before: Snapshot["exposures"]): Pick<Snapshot, "exposures" | "held"> {
  const last = new Map(Object.entries(naming(chassis, before)));
  const found = Object.entries(now).map(([name, text]) => {
    const why = last.has(name) ? unreadable(text) : undefined;
    return { name, text: why === undefined ? text : last.get(name)!, why };
  });
  return {
    exposures: Object.fromEntries(found.map(({ name, text }) => [name, text])),
    held: Object.fromEntries(found.flatMap(({ name, why }) => (why === undefined ? [] : [[name, why]]))),
  };
}
