import { ValueError } from "../errors";
import { encodeAtom, encodeValue } from "../schema/encode";
import type { ColumnSchema } from "../schema/column";
import type { TableSchema } from "../schema/table";
import type { WritableAtom, WritableValue } from "../values";
import type { Mutation, Mutator, WireMap, WireValue } from "../wire";
import { encodePart } from "./where";

const ARITHMETIC = new Set(["+=", "-=", "*=", "/=", "%="]);

/**
 * Puts mutations by column (`MutationsOf` of `types.ts`) into wire form. The server checks the size of a set after
 * each of them, and keeps the value that a key has: so deletions come first.
 */
export function encodeMutations(table: TableSchema, mutations: Readonly<Record<string, object | undefined>>): Mutation[] {
  return Object.entries(mutations).flatMap(([name, parts]) =>
    parts === undefined ? [] : encodeColumn(table.column(name), parts as Record<string, WritableValue>),
  );
}

function encodeColumn(column: ColumnSchema, parts: Readonly<Record<string, WritableValue>>): Mutation[] {
  if (!column.mutable) throw new ValueError(column.path, "is set by insert only");
  const before: Mutation[] = [];
  const after: Mutation[] = [];
  const mutation = (mutator: Mutator, value: WireValue): Mutation => [column.name, mutator, value];
  for (const [mutator, value] of Object.entries(parts)) {
    if (value === undefined) continue;
    if (ARITHMETIC.has(mutator)) {
      after.push(mutation(mutator as Mutator, encodeAtom(value as WritableAtom, { type: column.type.key.type }, column.path)));
    } else if (mutator === "delete") {
      before.push(mutation("delete", encodeDeletion(column, value)));
    } else if (mutator === "insert") {
      after.push(mutation("insert", encodeElements(column, value)));
    } else if (mutator === "set" && column.isMap) {
      const pairs = encodePart(column, value) as WireMap;
      before.push(mutation("delete", ["set", pairs[1].map(([key]) => key)]));
      after.push(mutation("insert", pairs));
    } else {
      throw new ValueError(column.path, `${JSON.stringify(mutator)} is not a mutation of this column`);
    }
  }
  return [...before, ...after];
}

/** Keys of a map, as a list; or pairs; or elements of a set. */
function encodeDeletion(column: ColumnSchema, value: WritableValue): WireValue {
  const keys = column.isMap && (Array.isArray(value) || value instanceof Set);
  return keys ? encodeValue(value, { key: column.type.key, min: 0, max: Infinity }, column.path) : encodeElements(column, value);
}

/** Elements of a set, also of one that holds one at most. */
function encodeElements(column: ColumnSchema, value: WritableValue): WireValue {
  if (column.isScalar) throw new ValueError(column.path, "holds exactly one value: update it");
  return column.isMap ? encodePart(column, value) : encodeValue(value, { ...column.type, min: 0, max: Infinity }, column.path);
}
