import { ConnectionError, NotLeaderError, ProtocolError, RpcError } from "../errors";
import type { WireRow, WireValue } from "../wire";
import type { Members } from "./members";

/** What a server says of one of its databases in its `_Server` database (ovsdb-server(7), since OVS 2.9). */
export interface ServerDatabase {
  readonly model: string;
  readonly connected: boolean;
  readonly leader: boolean;
  /** Of clustered databases: the cluster's UUID, this member's, and the index of the last log entry it has applied. */
  readonly clusterId: string | undefined;
  readonly serverId: string | undefined;
  readonly index: number | bigint | undefined;
}

const COLUMNS = ["name", "model", "connected", "leader", "cid", "sid", "index"] as const;

/**
 * The parameters of the monitor on `_Server`. The schema's text is asked for only when it changes: it is
 * long, and few clients need it.
 */
export function serverMonitor(database: string, monitorId: unknown): unknown[] {
  const where = [["name", "==", database]];
  const changes = { initial: false, insert: false, delete: false, modify: true };
  return ["_Server", monitorId, { Database: [{ columns: COLUMNS, where }, { columns: ["schema"], where, select: changes }] }];
}

/** The database's row, kept up to date from table updates. */
export class ServerRow {
  private uuid: string | undefined;
  private row: WireRow = {};

  /** `updates` as in ovsdb-server(7) section 4.1.14, `<table-updates2>`. Returns whether the schema has changed. */
  apply(updates: unknown): boolean {
    const rows = (updates as Record<string, Record<string, Record<string, WireRow | null>>> | null)?.["Database"] ?? {};
    let schemaChanged = false;
    for (const [uuid, { initial, insert, modify, delete: gone }] of Object.entries(rows)) {
      const whole = initial ?? insert;
      if (whole !== undefined) {
        this.uuid = uuid;
        this.row = whole ?? {};
      } else if (uuid !== this.uuid) {
        continue;
      } else if (gone !== undefined) {
        this.uuid = undefined;
      } else if (modify !== undefined) {
        schemaChanged ||= "schema" in (modify ?? {});
        this.row = { ...this.row, ...modify };
      }
    }
    return schemaChanged;
  }

  /** Undefined: the server has no such database. */
  get database(): ServerDatabase | undefined {
    if (this.uuid === undefined) return undefined;
    const { model, connected, leader, cid, sid, index } = this.row;
    // Columns with their default value are left out.
    return {
      model: String(model ?? "standalone"),
      connected: connected === true,
      leader: leader === true,
      clusterId: uuidOf(cid),
      serverId: uuidOf(sid),
      index: typeof index === "number" || typeof index === "bigint" ? index : undefined,
    };
  }
}

/** Of an optional column. */
function uuidOf(value: WireValue | undefined): string | undefined {
  return Array.isArray(value) && value[0] === "uuid" ? String(value[1]) : undefined;
}

/** Why this server is of no use now, if so. */
export function refuse(database: ServerDatabase | undefined, name: string, leaderOnly: boolean, members: Members, endpoint: string): ConnectionError | RpcError | undefined {
  if (database === undefined) return new RpcError("monitor_cond", "unknown database", `the server has no database ${name}`, { endpoint });
  const { model } = database;
  if (model !== "standalone" && !database.connected) return new NotLeaderError(`the server has no connection to the ${model} database ${name}`, { endpoint });
  if (model === "clustered" && leaderOnly && !database.leader) return new NotLeaderError(`the server is not the leader of ${name}`, { endpoint });
  // A relay says nothing of the cluster behind it.
  return model === "relay" ? undefined : members.refuse(database, endpoint);
}

/** The `error` member of a reply as an exception; bare strings are what some errors are (RFC 7047 section 4). */
export function rpcError(method: string, error: unknown, endpoint?: string): RpcError {
  if (typeof error === "string") return new RpcError(method, error, undefined, { endpoint });
  const { error: word, details } = (error ?? {}) as Record<string, unknown>;
  if (typeof word !== "string") throw new ProtocolError(`the reply to ${method} has an error without a name`);
  return new RpcError(method, word, typeof details === "string" ? details : undefined, { endpoint });
}
