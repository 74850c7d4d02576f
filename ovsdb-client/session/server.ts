import { ProtocolError, RpcError } from "../errors";
import { type JsonRecord, record, text } from "../rpc/record";

/** Row of the `_Server` database about one database (ovsdb-server(7), since OVS 2.9). */
export interface ServerDatabase {
  readonly model: string;
  readonly connected: boolean;
  readonly leader: boolean;
  /** Clustered databases: UUID of the cluster, UUID of this server, index of the last applied log entry. */
  readonly clusterId: string | undefined;
  readonly serverId: string | undefined;
  readonly index: number | bigint | undefined;
}

const COLUMNS = ["name", "model", "connected", "leader", "cid", "sid", "index"] as const;

/** The parameters of the monitor on `_Server`. */
export function serverMonitor(database: string, monitorId: unknown): unknown[] {
  return ["_Server", monitorId, { Database: [{ columns: COLUMNS, where: [["name", "==", database]] }] }];
}

/** The database's row, kept up to date from table updates. */
export class ServerRow {
  private uuid: string | undefined;
  private row: JsonRecord = {};
  private current: ServerDatabase | undefined;

  /** `updates` as in ovsdb-server(7) section 4.1.14, `<table-updates2>`. */
  apply(updates: unknown): void {
    const rows = record(updates, "an update of _Server")["Database"] ?? {};
    for (const [uuid, update] of Object.entries(record(rows, "the update of _Server.Database"))) {
      const { initial, insert = initial, modify, delete: deleted } = record(update, `the update of row ${uuid} of _Server.Database`);
      if (insert !== undefined) {
        this.uuid = uuid;
        this.row = record(insert, `row ${uuid} of _Server.Database`);
      } else if (uuid !== this.uuid) {
        continue;
      } else if (deleted !== undefined) {
        this.uuid = undefined;
      } else if (modify !== undefined) {
        this.row = { ...this.row, ...record(modify, `the change of row ${uuid} of _Server.Database`) };
      }
    }
    this.current = this.uuid === undefined ? undefined : readRow(this.row);
  }

  /** Undefined: the server has no such database. */
  get database(): ServerDatabase | undefined {
    return this.current;
  }
}

function readRow({ model, connected, leader, cid, sid, index }: JsonRecord): ServerDatabase {
  // Columns with their default value are left out.
  return {
    model: text(model ?? "standalone", "_Server.Database.model"),
    connected: connected === true,
    leader: leader === true,
    clusterId: uuidOf(cid),
    serverId: uuidOf(sid),
    index: typeof index === "number" || typeof index === "bigint" ? index : undefined,
  };
}

/** UUID in an optional column. */
function uuidOf(value: unknown): string | undefined {
  return Array.isArray(value) && value[0] === "uuid" ? text(value[1], "a UUID of _Server.Database") : undefined;
}

/** The `error` field of a reply as an exception; bare strings are what some errors are (RFC 7047 section 4). */
export function rpcError(method: string, error: unknown, endpoint?: string): RpcError {
  if (typeof error === "string") return new RpcError(method, error, undefined, { endpoint });
  const { error: word, details } = (error ?? {}) as Record<string, unknown>;
  if (typeof word !== "string") throw new ProtocolError(`the reply to ${method} has an error without a name`);
  return new RpcError(method, word, typeof details === "string" ? details : undefined, { endpoint });
}
