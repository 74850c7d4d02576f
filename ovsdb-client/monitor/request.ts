import { RpcError } from "../errors";
import type { DatabaseSchema } from "../schema/schema";
import type { MonitorCondition } from "../wire";

/** What to monitor of a table. */
export interface MonitorTable {
  /** Default: all columns of the schema. */
  readonly columns?: readonly string[] | undefined;
  /** Rows to monitor: those for which ANY condition holds. Default: all rows. Needs OVS 2.6. */
  readonly where?: readonly MonitorCondition[] | undefined;
}

export type MonitorTables = Readonly<Record<string, MonitorTable>>;
export type MonitorMethod = "monitor_cond_since" | "monitor_cond" | "monitor";

/** Newest first: servers answer "unknown method" to what they are too old for. */
export const METHODS: readonly MonitorMethod[] = ["monitor_cond_since", "monitor_cond", "monitor"];

export const NO_TRANSACTION = "00000000-0000-0000-0000-000000000000";

/** The requests with their columns: all that the table has, where none are named. Throws a SchemaError for what the schema lacks. */
export function withColumns(tables: MonitorTables, schema: DatabaseSchema): Record<string, MonitorTable & { readonly columns: readonly string[] }> {
  return Object.fromEntries(
    Object.entries(tables).map(([name, request]) => [name, { ...request, columns: request.columns ?? [...schema.table(name).columns.keys()] }]),
  );
}

export function monitorParams(method: MonitorMethod, database: string, id: string, tables: MonitorTables, since: string): unknown[] {
  const conditional = method !== "monitor";
  const requests = Object.entries(tables).map(([name, { columns, where }]) => {
    if (where !== undefined && !conditional) throw new RpcError(method, "not supported", `the server is too old for conditions (table ${name})`);
    return [name, [{ columns, ...(where !== undefined && { where }) }]];
  });
  const params = [database, id, Object.fromEntries(requests)];
  return method === "monitor_cond_since" ? [...params, since] : params;
}
