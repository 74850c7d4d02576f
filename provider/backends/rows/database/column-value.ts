import { ColumnSchema, ValueError } from "@pulumi-ovn/ovsdb-client";
import { type ResolvedValue, toValue } from "../set/values";

/** Problem of a value that a column does not accept. */
export interface ValueProblem {
  readonly message: string;
  /** Only the limits of the column's type are against it, such as its choices and its range, which newer schemas widen. */
  readonly limits: boolean;
}

/** undefined where the column takes the value. */
export function valueProblem(column: ColumnSchema, value: ResolvedValue): ValueProblem | undefined {
  const message = problemOf(column, value);
  return message === undefined ? undefined : { message, limits: problemOf(unlimited(column), value) === undefined };
}

function problemOf(column: ColumnSchema, value: ResolvedValue): string | undefined {
  const { isMap, isSet, path } = column;
  // A write takes the first element of such a list.
  if (Array.isArray(value) && isMap) return `${path}: holds a map, not a list`;
  if (Array.isArray(value) && value.length > 1 && !isSet) return `${path}: holds one value, not ${value.length}`;
  try {
    column.encode(toValue(column, value));
    return undefined;
  } catch (error) {
    if (error instanceof ValueError) return error.message;
    throw error;
  }
}

function unlimited({ table, name, type, isMap, isSet, mutable, ephemeral }: ColumnSchema): ColumnSchema {
  const { key, value, min, max } = type;
  const many = isMap || isSet;
  const loose = { key: { type: key.type }, ...(value && { value: { type: value.type } }), min: many ? 0 : min, max: many ? Infinity : max } as const;
  return new ColumnSchema(table, name, loose, mutable, ephemeral);
}
