import { SchemaError } from "../errors";

export type AtomicType = "integer" | "real" | "boolean" | "string" | "uuid";

/** RFC 7047 section 3.2, `<base-type>`. */
export interface BaseType {
  readonly type: AtomicType;
  readonly enum?: readonly (string | number | bigint | boolean)[];
  readonly minInteger?: number | bigint;
  readonly maxInteger?: number | bigint;
  readonly minReal?: number;
  readonly maxReal?: number;
  /** In Unicode code points. */
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly refTable?: string;
  /** Default "strong". A weak reference is removed with its row. */
  readonly refType?: "strong" | "weak";
}

/** RFC 7047 section 3.2, `<type>`, with its defaults filled in. */
export interface ColumnType {
  readonly key: BaseType;
  /** Present: the column is a map. */
  readonly value?: BaseType;
  readonly min: 0 | 1;
  /** Infinity for "unlimited". */
  readonly max: number;
}

const ATOMIC = new Set(["integer", "real", "boolean", "string", "uuid"]);
const NUMERIC = ["minInteger", "maxInteger", "minReal", "maxReal", "minLength", "maxLength"] as const;

export function parseType(json: unknown, path: string): ColumnType {
  if (typeof json === "string") return { key: parseBase(json, path), min: 1, max: 1 };
  const { key, value, min = 1, max = 1 } = object(json, path);
  if (min !== 0 && min !== 1) throw new SchemaError(`${path}: "min" must be 0 or 1`);
  const most = max === "unlimited" ? Infinity : max;
  if (typeof most !== "number" || most < 1 || most < min) throw new SchemaError(`${path}: "max" must be a number from 1, or "unlimited"`);
  return { key: parseBase(key, `${path}.key`), ...(value !== undefined && { value: parseBase(value, `${path}.value`) }), min, max: most };
}

function parseBase(json: unknown, path: string): BaseType {
  if (typeof json === "string") return { type: atomicType(json, path) };
  const base = object(json, path);
  const parsed: Record<string, unknown> = { type: atomicType(base["type"], path) };
  for (const name of NUMERIC) {
    const limit = base[name];
    if (limit === undefined) continue;
    if (typeof limit !== "number" && typeof limit !== "bigint") throw new SchemaError(`${path}: ${name} must be a number`);
    parsed[name] = limit;
  }
  const { enum: choices, refTable, refType } = base;
  if (choices !== undefined) parsed["enum"] = parseEnum(choices);
  if (refTable !== undefined) {
    parsed["refTable"] = String(refTable);
    parsed["refType"] = refType === "weak" ? "weak" : "strong";
  }
  return parsed as unknown as BaseType;
}

function atomicType(type: unknown, path: string): AtomicType {
  if (typeof type !== "string" || !ATOMIC.has(type)) throw new SchemaError(`${path}: unknown type ${JSON.stringify(type)}`);
  return type as AtomicType;
}

/** A set of atoms, or one atom. */
function parseEnum(json: unknown): unknown[] {
  return Array.isArray(json) && json[0] === "set" && Array.isArray(json[1]) ? json[1] : [json];
}

export function object(json: unknown, path: string): Record<string, unknown> {
  if (typeof json !== "object" || json === null || Array.isArray(json)) throw new SchemaError(`${path}: an object was expected`);
  return json as Record<string, unknown>;
}
