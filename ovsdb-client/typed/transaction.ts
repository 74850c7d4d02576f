import { ValueError } from "../errors";
import type { Lock } from "../lock/lock";
import { CachedRow } from "../monitor/row";
import type { DatabaseSchema } from "../schema/schema";
import type { Insert, Operation, OperationResult, Select, SelectResult } from "../transact/operations";
import type { Row, Value, WritableValue } from "../values";
import type { WireRow } from "../wire";
import { resultGuard, rowGuard } from "./guard";
import { findUndefined, InsertedRow } from "./inserted";
import { encodeMutations } from "./mutations";
import { selectOperation } from "./select";
import type {
  ColumnName,
  ColumnsOf,
  DatabaseTypes,
  FixedOf,
  InsertOf,
  MutationsOf,
  OwnerOf,
  Picked,
  Query,
  RequiredOf,
  RowLike,
  RowOf,
  TableName,
  UpdateOf,
  Uuid,
  Where,
} from "./types";
import { encodeWhere } from "./where";

/** Reads outside of the transaction, before it. */
export type Read = (operation: Select) => Promise<SelectResult>;

/** An update, mutate or delete. `Committed.count` returns the number of matched rows. */
export interface Matched {
  readonly table: string;
}

/**
 * A transaction under construction. Only its selects are sent before it is complete. All methods throw a SchemaError for missing tables or
 * columns, and a ValueError for invalid values.
 */
export class Transaction<DB extends DatabaseTypes> {
  private readonly guards: Operation[] = [];
  private readonly writes: Operation[] = [];
  private readonly positions = new Map<object, number>();

  /** @internal Use `OvsdbClient.transaction`. */
  constructor(
    private readonly schema: DatabaseSchema,
    private readonly read: Read,
  ) {}

  /**
   * Reads rows, before the transaction. `verify: true` makes it depend on the result: it is tried again, with a new
   * read, unless the same rows are found, with the same values, when it is committed. (An empty result, too: no other
   * client has inserted such a row.)
   */
  async select<T extends TableName<DB>, C extends ColumnName<RowOf<DB, T>> = ColumnName<RowOf<DB, T>>>(
    table: T,
    query: Query<RowOf<DB, T>, C, OwnerOf<DB, NoInfer<T>>> & { readonly verify?: boolean } = {},
  ): Promise<Picked<RowOf<DB, T>, C>[]> {
    // The version is for columns that don't compare as they were read.
    const { operation, read } = selectOperation(this.schema, table, query, ["_version"]);
    const rows = read(await this.read(operation));
    if (query.verify === true) {
      const schema = this.schema.table(table);
      this.guards.push(resultGuard(schema, operation.where, rows, operation.columns ?? ["_uuid", ...schema.columns.keys()]));
    }
    return rows as unknown as Picked<RowOf<DB, T>, C>[];
  }

  /**
   * Makes the transaction depend on a row that was read by `select`, or is in a monitor's cache: it is tried again
   * unless the row is still there and these columns have the same values. Default: all columns that were read.
   */
  verify<T extends TableName<DB>, R extends { readonly _uuid: Uuid<OwnerOf<DB, NoInfer<T>>> } | RowLike>(
    table: T,
    row: R,
    ...columns: R extends RowLike ? ColumnName<RowOf<DB, T>>[] : ColumnName<R>[]
  ): void {
    const read: Readonly<Row> = row instanceof CachedRow ? row.toObject() : (row as unknown as Row);
    const names = columns.length > 0 ? columns : Object.keys(read).filter((name) => !name.startsWith("_"));
    const value = (name: string): Value => {
      const found = row instanceof CachedRow ? row.get(name) : read[name];
      if (found === undefined) throw new ValueError(`${table}.${name}`, "was not read, and can't be verified");
      return found;
    };
    const values = Object.fromEntries(names.map((name) => [name, value(name)]));
    this.guards.push(rowGuard(this.schema.table(table), read["_uuid"] as string, values, read["_version"]));
  }

  /** Inserts a row. `uuid`: of the caller's own choice (OVS 2.13); a reply that was lost can then be found out. */
  insert<T extends TableName<DB>>(table: T, row: InsertOf<RowOf<DB, T>, RequiredOf<DB, NoInfer<T>>>, options: { readonly uuid?: string } = {}): InsertedRow<T> {
    const inserted = new InsertedRow(table);
    const uuid = options.uuid === undefined ? {} : { uuid: String((this.schema.table(table).column("_uuid").encode(options.uuid) as readonly unknown[])[1]) };
    this.append(inserted, { op: "insert", table, row: this.encode(table, row), "uuid-name": inserted.name, ...uuid } satisfies Insert);
    return inserted;
  }

  /** Replaces columns of the rows. */
  update<T extends TableName<DB>>(table: T, where: Where<RowOf<DB, T>, OwnerOf<DB, NoInfer<T>>>, row: UpdateOf<RowOf<DB, T>, FixedOf<DB, T>>): Matched {
    for (const name of Object.keys(row)) if (!this.schema.table(table).column(name).mutable) throw new ValueError(`${table}.${name}`, "is set by insert only");
    return this.append({ table }, { op: "update", table, where: this.where(table, where), row: this.encode(table, row) });
  }

  /** Changes sets, maps and numbers of the rows in part, so that several writers don't undo each other's changes. */
  mutate<T extends TableName<DB>>(
    table: T,
    where: Where<RowOf<DB, T>, OwnerOf<DB, NoInfer<T>>>,
    mutations: MutationsOf<RowOf<DB, T>, FixedOf<DB, T>>,
  ): Matched {
    const encoded = encodeMutations(this.schema.table(table), mutations as Readonly<Record<string, object>>);
    return this.append({ table }, { op: "mutate", table, where: this.where(table, where), mutations: encoded });
  }

  delete<T extends TableName<DB>>(table: T, where: Where<RowOf<DB, T>, OwnerOf<DB, NoInfer<T>>>): Matched {
    return this.append({ table }, { op: "delete", table, where: this.where(table, where) });
  }

  /**
   * Lets the transaction go on only when the rows found have (`until: "=="`), or have not, these values in the columns
   * that the first of `rows` names. `timeout`: milliseconds to wait for it, by default none. An OperationError, "timed
   * out", ends the transaction when it does not come true: unlike `verify` this is not tried again.
   */
  wait<T extends TableName<DB>>(
    table: T,
    where: Where<RowOf<DB, T>, OwnerOf<DB, NoInfer<T>>>,
    expected: {
      readonly until: "==" | "!=";
      readonly rows: readonly ColumnsOf<RowOf<DB, T>>[];
      readonly columns?: readonly ColumnName<RowOf<DB, T>>[];
      readonly timeout?: number;
    },
  ): void {
    const columns = expected.columns ?? Object.keys(expected.rows[0] ?? { _uuid: true });
    const rows = expected.rows.map((row) => this.encode(table, row));
    this.writes.push({ op: "wait", timeout: expected.timeout ?? 0, table, where: this.where(table, where), columns, until: expected.until, rows });
  }

  /** Goes into the server's log (`ovsdb-tool show-log`). */
  comment(text: string): void {
    this.writes.push({ op: "comment", comment: text });
  }

  /** The transaction fails with "not owner" unless this client holds the lock. */
  assertLock(lock: Lock | string): void {
    this.writes.push({ op: "assert", lock: typeof lock === "string" ? lock : lock.name });
  }

  /** The commit is reported when it is on disk. */
  durable(): void {
    this.writes.push({ op: "commit", durable: true });
  }

  /**
   * @internal Guards come first: they are about what was there before the writes. Throws a ValueError for a reference
   * to a row that another transaction has inserted: the server would take a random UUID for it, silently.
   */
  operations(): readonly Operation[] {
    const stranger = findUndefined(this.writes);
    if (stranger !== undefined) throw new ValueError(stranger.table, `refers to a row (${stranger.name}) that this transaction does not insert`);
    return [...this.guards, ...this.writes];
  }

  /** @internal Does the operation at this position only report that what was read has changed? */
  isGuard(index: number | "commit"): boolean {
    return index !== "commit" && index < this.guards.length;
  }

  /** @internal The result of what `insert`, `update`, ... returned; undefined: of another transaction. */
  resultOf(handle: object, results: readonly OperationResult[]): OperationResult | undefined {
    const position = this.positions.get(handle);
    return position === undefined ? undefined : results[this.guards.length + position];
  }

  private append<H extends object>(handle: H, operation: Operation): H {
    this.positions.set(handle, this.writes.push(operation) - 1);
    return handle;
  }

  private where(table: string, where: unknown) {
    return encodeWhere(this.schema.table(table), where);
  }

  private encode(name: string, row: object): WireRow {
    const table = this.schema.table(name);
    const given = Object.entries(row as Record<string, WritableValue | undefined>).filter((entry): entry is [string, WritableValue] => entry[1] !== undefined);
    return table.encodeRow(Object.fromEntries(given));
  }
}
