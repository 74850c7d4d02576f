import type { DatabaseSchema } from "../schema/schema";
import type { MonitorCondition } from "../wire";
import { TableCache } from "./cache";
import { convertTables } from "./conversion";
import { type Contents, type MonitorTables, NO_TRANSACTION, type WantedTable, withColumns } from "./request";
import type { RowChange } from "./row";
import { applyContents, applyUpdates, fill } from "./updates";

/** Changes of the contents. */
export interface Renewal {
  /** Whether these are the first contents; then no changes are reported. */
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

  /** Last applied transaction; NO_TRANSACTION: everything must be read. */
  get since(): string {
    return this.last;
  }

  /** The whole contents could not be read. */
  get unreadable(): boolean {
    return this.broken;
  }

  /** Makes the next contents replace everything. */
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
      // The next connection must not skip this update; whole contents are not requested twice.
      this.forget();
      this.broken = !found;
      throw error;
    }
    this.last = transaction;
    this.filled = true;
    return { first, changes };
  }

  /** After a failed update the next resynchronisation reads everything. */
  update(transaction: string, updates: unknown): RowChange[] {
    this.forget();
    const changes = applyUpdates(this.tables, updates);
    this.last = transaction;
    return changes;
  }

  /**
   * Applies a new schema of the server. Returns whether requested contents are useless because their columns or their base changed. Throws a
   * SchemaError for a missing table or column.
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
