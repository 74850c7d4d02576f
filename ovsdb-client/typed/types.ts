import type { Atom, Value, WritableValue } from "../values";
import type { MonitorCondition } from "../wire";
import type { InsertedRow, rowOf } from "./inserted";

declare const table: unique symbol;
/** A UUID string. If the table of its row is known, the type names it, and UUIDs of other tables are refused. A plain string always fits. */
export type Uuid<Table extends string = string> = string & { readonly [table]?: Table };

/** An integer without limits in the schema: 64 bits. It is a bigint only beyond `Number.MAX_SAFE_INTEGER`. */
export type Integer = number | bigint;

/**
 * A table: its rows as they are read, the names of columns that only an insert can set, and of those that an insert
 * must set, because the server refuses their default (it is not in the enumeration, or refers to no row).
 */
export interface TableType<Row extends object = object, Fixed extends string = string, Required extends string = string> {
  readonly row: Row;
  readonly fixed: Fixed;
  readonly required: Required;
}

/** Tables by name, as `ovsdb-types` generates them from a schema. */
export type DatabaseTypes = Readonly<Record<string, TableType>>;

export interface AnyRow {
  readonly _uuid: Uuid;
  readonly [column: string]: Value;
}
/** A database of which nothing is known at compile time. */
export type AnyDatabase = Readonly<Record<string, TableType<AnyRow, never, never>>>;

export type TableName<DB extends DatabaseTypes> = keyof DB & string;
export type RowOf<DB extends DatabaseTypes, T extends TableName<DB>> = DB[T]["row"];
export type FixedOf<DB extends DatabaseTypes, T extends TableName<DB>> = DB[T]["fixed"];
export type RequiredOf<DB extends DatabaseTypes, T extends TableName<DB>> = DB[T]["required"];
/** Whose UUIDs fit: those of the table, where tables have types. */
export type OwnerOf<DB extends DatabaseTypes, T> = string extends TableName<DB> ? string : T;
export type ColumnName<R> = keyof R & string;
/** The columns that were asked for; `_uuid` always is. */
export type Picked<R, C extends ColumnName<R>> = string extends ColumnName<R> ? R : Pick<R, C | (ColumnName<R> & "_uuid")>;

type BuiltIn = "_uuid" | "_version";
type Element<A> = A extends { readonly [table]?: infer T extends string } ? A | InsertedRow<T> : A;
type Keys<K, V> = K extends string ? { readonly [key in K]?: V } : never;
type WritableMap<K, V> = ReadonlyMap<Element<K>, Element<V>> | Keys<K, Element<V>>;
type WritableSet<E> = readonly Element<E>[] | ReadonlySet<Element<E>> | Element<E>;
type WritableOne<V> = V extends ReadonlyMap<infer K, infer W> ? WritableMap<K, W> : V extends readonly (infer E)[] ? WritableSet<E> : Element<V>;
/** Value that may be written to a column that is read as `V`; see `WritableValue`. A reference may also be a row that the transaction inserts. */
export type WritableOf<V> = [Value] extends [V] ? WritableValue : WritableOne<V>;

/** Some columns of a row. */
export type ColumnsOf<R> = { readonly [C in keyof R as Exclude<C, BuiltIn>]?: WritableOf<R[C]> | undefined };
/** A row to insert. Columns that are left out have their defaults (RFC 7047 section 5.2.1). */
export type InsertOf<R, Required extends string = never> = [Required] extends [never]
  ? ColumnsOf<R>
  : ColumnsOf<R> & { readonly [C in keyof R as Extract<C, Required>]: WritableOf<R[C]> };
/** Columns to replace: without those that only an insert can set. */
export type UpdateOf<R, Fixed extends string = never> = { readonly [C in keyof R as Exclude<C, BuiltIn | Fixed>]?: WritableOf<R[C]> | undefined };

interface Arithmetic {
  readonly "+="?: Integer;
  readonly "-="?: Integer;
  readonly "*="?: Integer;
  readonly "/="?: Integer;
  readonly "%="?: Integer;
}
interface SetMutation<V> {
  /** Elements to put in. They may be there already. */
  readonly insert?: WritableOf<V>;
  /** Elements to remove, if they exist. */
  readonly delete?: WritableOf<V>;
}
interface MapMutation<K, W> {
  /** Pairs to put in, where the key is not there yet. */
  readonly insert?: WritableMap<K, W>;
  /** Keys to take out; or pairs, which are taken out when the value is the same. */
  readonly delete?: readonly K[] | ReadonlySet<K> | WritableMap<K, W>;
  /** Pairs to set, replacing previous values. */
  readonly set?: WritableMap<K, W>;
}
type NumberPart<V> = [Extract<V, number | bigint>] extends [never] ? object : Arithmetic;
type MutationOf<V> = [Value] extends [V]
  ? Arithmetic & SetMutation<Value> & { readonly set?: WritableValue }
  : V extends ReadonlyMap<infer K, infer W>
    ? MapMutation<K, W>
    : V extends readonly (infer E)[]
      ? SetMutation<V> & NumberPart<E>
      : null extends V
        ? SetMutation<NonNullable<V>> & NumberPart<V>
        : Arithmetic;
type Mutable<V> = [Value] extends [V]
  ? true
  : V extends readonly unknown[] | ReadonlyMap<unknown, unknown>
    ? true
    : null extends V
      ? true
      : V extends number | bigint
        ? true
        : false;
type MutableName<R, Fixed extends string> = { [C in keyof R]: C extends BuiltIn | Fixed ? never : [Mutable<R[C]>] extends [false] ? never : C }[keyof R];
/** Changes of sets, maps and numbers, by column (RFC 7047 section 5.1, `<mutation>`): deletions come before insertions. */
export type MutationsOf<R, Fixed extends string = never> = { readonly [C in MutableName<R, Fixed>]?: MutationOf<R[C]> };

/** Not an inserted row: its properties would be taken for columns. */
type Equal<R> = ColumnsOf<R> & { readonly [rowOf]?: never; readonly _uuid?: never };
type Function = "<" | "<=" | "==" | "!=" | ">=" | ">" | "includes" | "excludes";
type Clause<R> = { [C in ColumnName<R>]: readonly [column: C, function_: Function, value: WritableOf<R[C]>] }[ColumnName<R>];
/**
 * Which rows: one by its UUID (also as the object that was read, or that was inserted), those with equal columns
 * (`{ name: "blue" }`), or those for which all conditions hold (`[["name", "==", "blue"]]`; RFC 7047 section 5.1,
 * `<condition>`: "includes" and "excludes" compare parts of sets and maps).
 */
export type Where<R, T extends string = string> = Uuid<T> | InsertedRow<T> | { readonly _uuid: Uuid<T> } | RowLike | readonly Clause<R>[] | Equal<R>;
/** A row of a monitor's cache. */
export interface RowLike {
  readonly uuid: string;
  get(column: string): Value;
}

export interface Query<R, C extends ColumnName<R>, T extends string = string> {
  /** Default: all rows. */
  readonly where?: Where<R, T> | undefined;
  /** Default: all columns. `_uuid` is always read. */
  readonly columns?: readonly C[] | undefined;
}

/** A column by which rows can be found: `"name"`; a set's name finds rows by each element; of a map one key, `["options", "k"]`. */
export type IndexColumn<R> = {
  [C in Exclude<ColumnName<R>, BuiltIn>]: [Value] extends [R[C]] ? C | readonly [C, Atom] : R[C] extends ReadonlyMap<infer K, unknown> ? readonly [C, K] : C;
}[Exclude<ColumnName<R>, BuiltIn>];
/** Value to look up; null for an unset optional column or map key. */
export type IndexValue<R, C> = C extends readonly [infer M, unknown]
  ? MapValue<R[M & keyof R]> | null
  : [Value] extends [R[C & keyof R]]
    ? Atom | null
    : R[C & keyof R] extends readonly (infer E)[]
      ? E
      : R[C & keyof R];
type MapValue<V> = [Value] extends [V] ? Atom : V extends ReadonlyMap<unknown, infer W> ? W : never;

/** Tables and columns to monitor; see `MonitorTables`. */
export type MonitorRequest<DB extends DatabaseTypes> = {
  readonly [T in TableName<DB>]?: {
    readonly columns?: readonly ColumnName<RowOf<DB, T>>[] | undefined;
    readonly where?: readonly MonitorCondition[] | undefined;
  };
};
/** The rows of a monitor's cache, by table: with the columns that were asked for. */
export type MonitoredRows<DB extends DatabaseTypes, M> =
  string extends TableName<DB> ? AnyRows : { readonly [T in keyof M & TableName<DB>]: MonitoredRow<RowOf<DB, T>, M[T]> };
type MonitoredRow<R, M> = M extends { readonly columns: readonly (infer C)[] } ? Picked<R, C & ColumnName<R>> : Picked<R, Exclude<ColumnName<R>, "_version">>;
/** Rows by table of which nothing is known at compile time. */
export type AnyRows = Readonly<Record<string, AnyRow>>;
