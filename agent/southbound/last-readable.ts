import { exposuresNaming, type Snapshot, unreadable } from "@pulumi-ovn/provider/agent";

/**
 * Pure. Replaces each unreadable exposure, such as an exposure of a newer release, by its last readable text, so that nothing is
 * withdrawn. An exposure that was never readable stays unchanged. An exposure that did not name the chassis also does: it may now.
 *
 * @param before the exposures that were last read
 */
export function lastReadable(
  chassis: Snapshot["chassis"],
  now: Snapshot["exposures"],
  before: Snapshot["exposures"],
): Pick<Snapshot, "exposures" | "unreadable"> {
  const last = new Map(Object.entries(exposuresNaming(chassis, before)));
  const found = Object.entries(now).map(([name, text]) => {
    const why = last.has(name) ? unreadable(text) : undefined;
    return { name, text: why === undefined ? text : last.get(name)!, why };
  });
  return {
    exposures: Object.fromEntries(found.map(({ name, text }) => [name, text])),
    unreadable: Object.fromEntries(found.flatMap(({ name, why }) => (why === undefined ? [] : [[name, why]]))),
  };
}
