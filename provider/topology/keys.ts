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
  const owners = sortedEntries(wanted);
  const before = new Map(sortedEntries(held));
  const staying = new Map(owners.map(([owner]) => [owner, before.get(owner) ?? []]));
  const leaving = new Set([...before].flatMap(([owner, keys]) => (staying.has(owner) ? [] : keys)));
  const failures = new Failures();
  checkStaying(staying, wanted, failures);
  const free = freeKeys(range, new Set([...staying.values()].flat()), leaving);
  const result = owners.map(([owner, count]): [string, number[]] => {
    const keys = [...staying.get(owner)!];
    while (keys.length < count) {
      const { value, done } = free.next();
      if (done) {
        failures.add(propertyPath(["owners", owner]), "exhausted", `no tunnel key is left for "${owner}": all of ${range.first} to ${range.last} are given out`);
        break;
      }
      keys.push(value);
    }
    return [owner, keys];
  });
  failures.throwIfAny();
  return Object.fromEntries(result);
}

function checkStaying(staying: ReadonlyMap<string, readonly number[]>, wanted: Allocation["wanted"], failures: Failures): void {
  const holders = new Map<number, string>();
  for (const [owner, keys] of staying) {
    const path = propertyPath(["owners", owner]);
    for (const key of keys) {
      const other = holders.get(key);
      if (other !== undefined) failures.add(path, "duplicate", `tunnel key ${key} of "${owner}" is held by "${other}" too`);
      holders.set(key, owner);
    }
    const count = wanted[owner]!;
    if (keys.length > count) failures.add(path, "out-of-range", `"${owner}" holds ${keys.length} tunnel keys and can't have fewer: ${count} asked for`);
  }
}

function* freeKeys({ first, last }: KeyRange, used: ReadonlySet<number>, leaving: ReadonlySet<number>): Generator<number, undefined> {
  for (const [skip, only] of [[leaving, undefined], [undefined, leaving]] as const) {
    for (let key = first; key <= last; key++) {
      if (!used.has(key) && !skip?.has(key) && (only?.has(key) ?? true)) yield key;
    }
  }
}
