import type { KeyRange } from "../../kit/address";
import { Failures, propertyPath } from "../../kit/arguments/failures";
import { sortedEntries } from "../../kit/entries";

export interface Allocation {
  /** Keys given out before, by owner; those of owners that are not wanted any more included. */
  readonly assigned: Readonly<Record<string, readonly number[]>>;
  /** How many keys each owner is to have. */
  readonly counts: Readonly<Record<string, number>>;
  readonly range: KeyRange;
  /** How failures call a key, and where they say it is wrong. Default: tunnel keys, of `owners`. */
  readonly words?: AllocationWords;
}

export interface AllocationWords {
  readonly what: string;
  readonly show: (key: number) => string;
  /** Path of the argument that asks for an owner's keys. */
  readonly path: (owner: string) => string;
}

const TUNNEL_KEYS: AllocationWords = { what: "tunnel key", show: String, path: (owner) => propertyPath(["owners", owner]) };

/**
 * Gives every owner its keys. A key once given never moves: an owner keeps the ones it holds, wherever in the
 * range (or, for keys from elsewhere, outside of it) they are. New keys are the lowest free ones, given to owners
 * in the order of their names. Keys of owners that leave in this very step are used only when no others are left:
 * their rows may still be in the databases when those of the new owner come.
 */
export function allocate({ assigned, counts, range, words = TUNNEL_KEYS }: Allocation): Record<string, number[]> {
  const owners = sortedEntries(counts);
  const before = new Map(sortedEntries(assigned));
  const staying = new Map(owners.map(([owner]) => [owner, before.get(owner) ?? []]));
  const leaving = new Set([...before].flatMap(([owner, keys]) => (staying.has(owner) ? [] : keys)));
  const failures = new Failures();
  checkStaying(staying, counts, words, failures);
  const free = freeKeys(range, new Set([...staying.values()].flat()), leaving);
  const result = owners.map(([owner, count]): [string, number[]] => {
    const keys = [...staying.get(owner)!];
    while (keys.length < count) {
      const { value, done } = free.next();
      if (done) {
        failures.add(
          words.path(owner),
          "exhausted",
          `no ${words.what} is left for "${owner}": all of ${words.show(range.first)} to ${words.show(range.last)} are given out`,
        );
        break;
      }
      keys.push(value);
    }
    return [owner, keys];
  });
  failures.throwIfAny();
  return Object.fromEntries(result);
}

function checkStaying(
  staying: ReadonlyMap<string, readonly number[]>,
  counts: Allocation["counts"],
  { what, show, path }: AllocationWords,
  failures: Failures,
): void {
  const holders = new Map<number, string>();
  for (const [owner, keys] of staying) {
    for (const key of keys) {
      const other = holders.get(key);
      if (other !== undefined) failures.add(path(owner), "duplicate", `${what} ${show(key)} of "${owner}" is held by "${other}" too`);
      holders.set(key, owner);
    }
    const count = counts[owner]!;
    if (keys.length > count) failures.add(path(owner), "out-of-range", `"${owner}" holds ${keys.length} ${what}s and can't have fewer: ${count} asked for`);
  }
}

function* freeKeys({ first, last }: KeyRange, used: ReadonlySet<number>, leaving: ReadonlySet<number>): Generator<number, undefined> {
  for (const [skip, only] of [
    [leaving, undefined],
    [undefined, leaving],
  ] as const) {
    for (let key = first; key <= last; key++) {
      if (!used.has(key) && !skip?.has(key) && (only?.has(key) ?? true)) yield key;
    }
  }
}
