import { ProtocolError } from "../errors";
import { describe } from "./encode";
import type { Atom, Value } from "../values";
import { compareAtoms, inOrder } from "./order";
import type { BaseType, ColumnType } from "./types";

/** Reads a value from the server, trusting nothing: what does not fit the column's type is a ProtocolError. */
export function decodeValue(wire: unknown, type: ColumnType, path: string): Value {
  if (type.value !== undefined) return decodeMap(wire, type.key, type.value, path);
  const atoms = setElements(wire) ?? [wire];
  if (type.max > 1)
    return inOrder(
      atoms.map((atom) => decodeAtom(atom, type.key, path)),
      1,
    );
  if (atoms.length > 1 || atoms.length < type.min) throw bad(path, `a set of ${atoms.length}`);
  return atoms.length === 0 ? null : decodeAtom(atoms[0], type.key, path);
}

function decodeMap(wire: unknown, key: BaseType, value: BaseType, path: string): ReadonlyMap<Atom, Atom> {
  const pairs = mapEntries(wire, path).map((entry): [Atom, Atom] => {
    const [k, v] = mapEntry(entry, path);
    return [decodeAtom(k, key, path), decodeAtom(v, value, path)];
  });
  return new Map(pairs.sort(([a], [b]) => compareAtoms(a, b)));
}

/** Pairs of `["map", [[key, value], ...]]`. */
export function mapEntries(wire: unknown, path: string): readonly unknown[] {
  if (Array.isArray(wire) && wire[0] === "map" && Array.isArray(wire[1])) return wire[1];
  throw bad(path, "something else than a map");
}

/** A pair, not decoded yet. */
export function mapEntry(entry: unknown, path: string): readonly [unknown, unknown] {
  if (Array.isArray(entry) && entry.length === 2) return entry as [unknown, unknown];
  throw bad(path, "a map entry that is not a pair");
}

/** Elements of `["set", [...]]`. Undefined for an atom, which is a set of one. */
export function setElements(wire: unknown): unknown[] | undefined {
  return Array.isArray(wire) && wire[0] === "set" && Array.isArray(wire[1]) ? wire[1] : undefined;
}

export function decodeAtom(wire: unknown, base: BaseType, path: string): Atom {
  switch (base.type) {
    case "uuid":
      if (Array.isArray(wire) && wire[0] === "uuid" && typeof wire[1] === "string") return wire[1];
      break;
    case "string":
      if (typeof wire === "string") return wire;
      break;
    case "boolean":
      if (typeof wire === "boolean") return wire;
      break;
    case "integer":
      // 64 bits; the parser has made a bigint of each that a double would round.
      if (typeof wire === "bigint" ? BigInt.asIntN(64, wire) === wire : Number.isSafeInteger(wire)) return wire as number | bigint;
      break;
    case "real":
      // A whole number of many digits was kept exact by the parser.
      if (typeof wire === "number" || typeof wire === "bigint") return Number(wire);
  }
  throw bad(path, `something else than ${describe(base)}`);
}

function bad(path: string, problem: string): ProtocolError {
  return new ProtocolError(`${path}: the server sent ${problem}`);
}
