import type { Insert, Mutate, Operation, Wait } from "../transact/operations";
import { NamedUuid } from "../values";
import type { WireValue } from "../wire";

/** For the compiler only: distinguishes a row from an object with the same properties. */
export declare const rowOf: unique symbol;

let last = 0;

/** Row inserted by a transaction. It replaces its UUID anywhere in the same transaction. The UUID is known after the commit (`Committed.uuid`). */
export class InsertedRow<T extends string = string> extends NamedUuid {
  declare readonly [rowOf]: T;

  constructor(readonly table: T) {
    // Unique in the process, so rows of other transactions and attempts differ.
    super(`row${++last}`);
  }
}

/** The first reference by name to a row that none of the operations inserts. */
export function findUndefined(operations: readonly Operation[]): { table: string; name: string } | undefined {
  const defined = new Set(operations.flatMap((operation) => (operation.op === "insert" ? [operation["uuid-name"]] : [])));
  for (const operation of operations) {
    for (const value of valuesOf(operation)) {
      for (const name of namesIn(value)) if (!defined.has(name)) return { table: (operation as Insert).table, name };
    }
  }
  return undefined;
}

function* valuesOf(operation: Operation): Iterable<WireValue> {
  const { row, rows = [], where = [], mutations = [] } = operation as Partial<Pick<Insert, "row"> & Pick<Wait, "rows" | "where"> & Pick<Mutate, "mutations">>;
  for (const each of row === undefined ? rows : [row]) yield* Object.values(each);
  for (const [, , value] of [...where, ...mutations]) yield value;
}

function* namesIn(value: WireValue): Iterable<string> {
  if (typeof value !== "object") return;
  const [kind, content] = value;
  if (kind === "named-uuid") yield content;
  else if (kind === "set") for (const atom of content) yield* namesIn(atom);
  else if (kind === "map") for (const pair of content) for (const atom of pair) yield* namesIn(atom);
}
