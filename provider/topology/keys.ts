import type { KeyRange } from "../address";
import { Failures, propertyPath } from "./failures";
import { sortedEntries } from "./rows";

export interface Allocation {
  /** Keys given out before, by owner; those of owners that are not wanted any more included. */
  readonly held: Readonly<Record<string, readonly number[]>>;
  /** How many keys each owner is to have. */
  readonly wanted: Readonly<Record<string, number>>;
  readonly range: KeyRange;
}

/**
 * Gives every owner its keys. A key once given never moves: an owner keeps the ones it holds, wherever in the
 * range (or, for keys from elsewhere, outside of it) they are. New keys are the lowest free ones, given to owners
 * in the order of their names. Keys of owners that leave in this very step are used only when no others are left:
 * their rows may still be in the databases when those of the new owner come.
 */
export function allocate({ held, wanted, range }: Allocation): Record<string, number[]> {
  checkHeld({ held, wanted, range });
  const used = new Set(Object.entries(held).flatMap(([owner, keys]) => (owner in wanted ? keys : [])));
  const leaving = Object.entries(held).flatMap(([owner, keys]) => (owner in wanted ? [] : keys));
  const free = freeKeys(range, used, new Set(leaving));
  const failures = new Failures();
  const result: Record<string, number[]> = {};
  for (const [owner, count] of sortedEntries(wanted)) {
    const keys = [...(held[owner] ?? [])];
    while (keys.length < count) {
      const { value, done } = free.next();
      if (done) {
        failures.add(propertyPath(["owners", owner]), "exhausted", `no tunnel key is left for "${owner}": all of ${range.first} to ${range.last} are given out`);
        break;
      }
      keys.push(value);
    }
    result[owner] = keys;
  }
  failures.throwIfAny();
  return result;
}

function checkHeld({ held, wanted }: Allocation): void {
  const failures = new Failures();
  const owners = new Map<number, string>();
  for (const [owner, keys] of sortedEntries(held)) {
    if (!(owner in wanted)) continue;
    for (const key of keys) {
      const other = owners.get(key);
      if (other !== undefined) failures.add(propertyPath(["owners", owner]), "duplicate", `tunnel key ${key} of "${owner}" is held by "${other}" too`);
      owners.set(key, owner);
    }
    const count = wanted[owner]!;
    if (keys.length > count) {
      failures.add(propertyPath(["owners", owner]), "out-of-range", `"${owner}" holds ${keys.length} tunnel keys and can't have fewer: ${count} asked for`);
    }
  }
  failures.throwIfAny();
}

function* freeKeys({ first, last }: KeyRange, used: ReadonlySet<number>, leaving: ReadonlySet<number>): Generator<number, undefined> {
  for (const [skip, only] of [[leaving, undefined], [undefined, leaving]] as const) {
    for (let key = first; key <= last; key++) {
      if (!used.has(key) && !skip?.has(key) && (only?.has(key) ?? true)) yield key;
    }
  }
}
