import { canonical } from "../arguments/unknown";
import type { Entries } from "./reference";

/** Differences of a previous list: removed or changed entries with their old values, and null for added ones. */
export type Former = Readonly<Record<string, unknown>>;

export function formerEntries(before: Entries, after: Entries): Former {
  const changed = Object.entries(before).filter(([name, entry]) => !Object.hasOwn(after, name) || canonical(after[name]) !== canonical(entry));
  const came = Object.keys(after).filter((name) => !Object.hasOwn(before, name));
  return Object.fromEntries([...changed, ...came.map((name) => [name, null] as const)]);
}

/** The list as it was before. */
export function restored(after: Entries, former: Former): Entries {
  return Object.fromEntries(Object.entries({ ...after, ...former }).filter(([, entry]) => entry !== null));
}
