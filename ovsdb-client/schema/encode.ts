import { ValueError } from "../errors";
import { isDenormal, textProblem } from "../framing/json";
import { NamedUuid, type WritableAtom, type WritableValue } from "../values";
import type { WireAtom, WireMap, WireSet, WireValue } from "../wire";
import type { BaseType, ColumnType } from "./types";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const MIN_INTEGER = -(2n ** 63n);
const MAX_INTEGER = 2n ** 63n - 1n;

/** Checks a value against the column's type and puts it into wire form. `path` names it in errors. */
export function encodeValue(value: WritableValue, type: ColumnType, path: string): WireValue {
  return type.value === undefined ? encodeSet(value, type, path) : encodeMap(value, type.value, type, path);
}

function encodeSet(value: WritableValue, type: ColumnType, path: string): WireAtom | WireSet {
  if (isAtom(value)) return encodeAtom(value, type.key, path);
  const isSet = type.max > 1;
  if (value === null ? isSet || type.min > 0 : !Array.isArray(value) && !(value instanceof Set)) {
    throw new ValueError(path, `${show(value)} is not ${isSet ? `a set of ${type.key.type}s` : describe(type.key)}`);
  }
  const atoms: WireAtom[] = [];
  for (const atom of (value ?? []) as Iterable<WritableAtom>) atoms.push(encodeAtom(atom, type.key, path, atoms.length));
  checkSize(atoms.length, type, path, "element");
  checkDistinct(atoms, path);
  return atoms.length === 1 ? atoms[0]! : ["set", atoms];
}

function encodeMap(value: WritableValue, valueType: BaseType, type: ColumnType, path: string): WireMap {
  if (isAtom(value) || value === null || Array.isArray(value) || value instanceof Set) throw new ValueError(path, `${show(value)} is not a map`);
  const entries = value instanceof Map ? [...value] : Object.entries(value);
  const pairs = entries.map(([key, item]: [WritableAtom, WritableAtom]) => {
    return [encodeAtom(key, type.key, path, key), encodeAtom(item, valueType, path, key)] as const;
  });
  checkSize(pairs.length, type, path, "entry");
  checkDistinct(
    pairs.map(([key]) => key),
    path,
  );
  return ["map", pairs];
}

/** `position` is the atom's index in its set, or its key in a map; texts are made only for errors. */
export function encodeAtom(atom: WritableAtom, base: BaseType, path: string, position?: WritableAtom): WireAtom {
  const problem = atomProblem(atom, base);
  if (problem !== undefined) throw new ValueError(position === undefined ? path : `${path}[${show(position)}]`, problem);
  if (atom instanceof NamedUuid) return ["named-uuid", atom.name];
  // -0 would be "-0" in JSON, which is an integer elsewhere too.
  return base.type === "uuid" ? ["uuid", atom as string] : Object.is(atom, -0) ? 0 : atom;
}

function atomProblem(atom: WritableAtom, base: BaseType): string | undefined {
  const mismatch = () => `${show(atom)} is not ${describe(base)}`;
  if (atom instanceof NamedUuid) return base.type === "uuid" ? undefined : mismatch();
  switch (base.type) {
    case "uuid":
      return typeof atom === "string" && UUID.test(atom) ? undefined : mismatch();
    case "boolean":
      if (typeof atom !== "boolean") return mismatch();
      break;
    case "string":
      if (typeof atom !== "string") return mismatch();
      break;
    case "integer":
      if (typeof atom !== "bigint" && !(typeof atom === "number" && Number.isSafeInteger(atom))) return mismatch();
      if (atom < MIN_INTEGER || atom > MAX_INTEGER) return `${atom} does not fit into 64 bits`;
      break;
    case "real":
      if (typeof atom !== "number" || !Number.isFinite(atom)) return mismatch();
      if (isDenormal(atom)) return `${atom} is too near to zero for an OVSDB server to read`;
  }
  return limitProblem(atom, base);
}

/** Violation of a limit by an atom of the right type. */
export function limitProblem(atom: string | number | bigint | boolean, base: BaseType): string | undefined {
  // oxlint-disable-next-line eqeqeq -- 1 and 1n are the same integer
  if (base.enum !== undefined) return base.enum.some((choice) => choice == atom) ? undefined : `${show(atom)} is not one of ${base.enum.map(show).join(", ")}`;
  if (typeof atom === "string") {
    const { minLength = 0, maxLength = Infinity } = base;
    const length = minLength > 0 || maxLength < atom.length ? [...atom].length : 0;
    if (length < minLength || length > maxLength) return `${show(atom)} has ${length} characters, not ${range(minLength, maxLength)}`;
    return textProblem(atom);
  }
  const min = base.minInteger ?? base.minReal ?? -Infinity;
  const max = base.maxInteger ?? base.maxReal ?? Infinity;
  return typeof atom !== "boolean" && (atom < min || atom > max) ? `${atom} is not ${range(min, max)}` : undefined;
}

function checkSize(size: number, type: ColumnType, path: string, unit: "element" | "entry"): void {
  if (size >= type.min && size <= type.max) return;
  const what = unit === "element" ? (size === 1 ? "element" : "elements") : size === 1 ? "entry" : "entries";
  throw new ValueError(path, `${size} ${what}, not ${range(type.min, type.max)}`);
}

function checkDistinct(atoms: readonly WireAtom[], path: string): void {
  if (atoms.length < 2) return;
  const seen = new Set<string>();
  for (const atom of atoms) {
    const identity = Array.isArray(atom) ? atom.join(":").toLowerCase() : String(atom);
    if (seen.has(identity)) throw new ValueError(path, `${show(Array.isArray(atom) ? atom[1] : atom)} occurs twice`);
    seen.add(identity);
  }
}

function isAtom(value: WritableValue): value is WritableAtom {
  return typeof value !== "object" || value instanceof NamedUuid;
}

function range(min: number | bigint, max: number | bigint): string {
  if (max === Infinity) return `at least ${min}`;
  return min === -Infinity ? `at most ${max}` : min === max ? `${min}` : `${min} to ${max}`;
}

export function describe(base: BaseType): string {
  const article = base.type === "integer" ? "an" : "a";
  return base.type === "uuid" ? "a UUID" : `${article} ${base.type}`;
}

function show(value: unknown): string {
  if (typeof value === "bigint") return `${value}`;
  if (typeof value === "number" || value === undefined) return String(value);
  if (value instanceof NamedUuid) return `NamedUuid(${value.name})`;
  return JSON.stringify(value, (_key, item) => (typeof item === "bigint" ? String(item) : item));
}
