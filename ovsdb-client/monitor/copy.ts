import type { DatabaseSchema } from "../schema/schema";
import type { MonitorCondition } from "../wire";
import { TableCache } from "./cache";
import { convertTables } from "./conversion";
import { type Contents, type MonitorTables, NO_TRANSACTION, type WantedTable, withColumns } from "./request";
import type { RowChange } from "./row";
import { applyContents, applyUpdates, fill } from "./updates";

/** What contents have changed. */
export interface Renewal {
  /** The tables had none before; then no changes are told. */
  readonly first: boolean;
  readonly changes: readonly RowChange[];
}

/** The tables of a monitor, what is wanted of them, and the last transaction that they have. */
export class Copy {
  readonly tables: ReadonlyMap<string, TableCache>;
  /** With the conditions by which the rows were chosen. */
  readonly wanted: Record<string, WantedTable>;
  private last = NO_TRANSACTION;
  private filled = false;
  private broken = false;

  /** Throws a SchemaError for what the schema lacks. */
  constructor(
    private readonly requested: MonitorTables,
    schema: DatabaseSchema,
  ) {
    this.wanted = withColumns(requested, schema);
    this.tables = new Map(Object.entries(this.wanted).map(([name, { columns }]) => [name, new TableCache(schema.table(name), columns)]));
  }

  /** What came after this transaction is missing; NO_TRANSACTION: everything has to be read. */
  get since(): string {
    return this.last;
  }

  /** The whole contents could not be read. */
  get unreadable(): boolean {
    return this.broken;
  }

  /** Whatever comes next is everything. */
  forget(): void {
    this.last = NO_TRANSACTION;
  }

  /** Takes what the server has answered. Throws a ProtocolError when it can't be read; then the tables are as they were. */
  renew({ found, transaction, updates }: Contents): Renewal {
    const first = !this.filled;
    let changes: RowChange[];
    try {
      changes = first ? fill(this.tables, updates) : found ? applyUpdates(this.tables, updates) : applyContents(this.tables, updates);
    } catch (error) {
      // What is missing now must not be skipped by the next connection; whole contents are not asked for twice.
      this.forget();
      this.broken = !found;
      throw error;
    }
    this.last = transaction;
    this.filled = true;
    return { first, changes };
  }

  /** What a failed update leaves out must not be skipped by the next resynchronisation: it reads everything. */
  update(transaction: string, updates: unknown): RowChange[] {
    this.forget();
    const changes = applyUpdates(this.tables, updates);
    this.last = transaction;
    return changes;
  }

  /**
   * The server has this schema now. Returns whether contents that were asked for before are of no use: they are of other columns, or
   * go on from rows that looked otherwise. Throws a SchemaError for a table or column that is gone.
   */
  convert(schema: DatabaseSchema): boolean {
    const changed = convertTables(this.tables, this.requested, this.wanted, schema);
    if (!changed.rows) return false;
    const outdated = changed.columns || this.last !== NO_TRANSACTION;
    this.forget();
    return outdated;
  }

  /** The rows are chosen by this condition from now on. */
  choose(table: string, where: readonly MonitorCondition[] | undefined): void {
    this.wanted[table] = { ...this.wanted[table]!, where };
  }
}
