import { ProtocolError, RpcError } from "../errors";
import { text } from "../rpc/record";
import type { DatabaseSchema } from "../schema/schema";
import type { MonitorCondition } from "../wire";

/** Columns and rows to monitor in a table. */
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

/** A request whose columns are named. */
export type WantedTable = MonitorTable & { readonly columns: readonly string[] };

/** The requests with their columns: all that the table has, where none are named. Throws a SchemaError for what the schema lacks. */
export function withColumns(tables: MonitorTables, schema: DatabaseSchema): Record<string, WantedTable> {
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

/** Answer of a server to a request. */
export interface Contents {
  /** Only what was missed since the transaction that was named; false: the whole contents. */
  readonly found: boolean;
  /** The last transaction of these contents. */
  readonly transaction: string;
  readonly updates: unknown;
}

export function readContents(method: MonitorMethod, result: unknown): Contents {
  if (method !== "monitor_cond_since") return { found: false, transaction: NO_TRANSACTION, updates: result };
  if (!Array.isArray(result) || result.length !== 3) throw new ProtocolError("the result of monitor_cond_since is not [found, id, updates]");
  const [found, transaction, updates] = result as unknown[];
  return { found: found === true, transaction: text(transaction, "the transaction of monitor_cond_since"), updates };
}
