import { AbortError, ProtocolError } from "./errors";
import { Lock } from "./lock/lock";
import { Monitor } from "./monitor/monitor";
import type { MonitorTables } from "./monitor/request";
import type { Nature } from "./rpc/call";
import { knownSchema } from "./schema/known";
import type { DatabaseSchema } from "./schema/schema";
import type { Since } from "./schema/table";
import type { ClientListener } from "./session/events";
import { type CallOptions, type ClientOptions, DEFAULTS } from "./session/options";
import { request } from "./session/request";
import { SchemaInUse } from "./session/schema-in-use";
import { Session } from "./session/session";
import { checkMethod } from "./transact/method";
import { checkOperations, type Operation, type Results, writesNothing } from "./transact/operations";
import { readResults } from "./transact/results";
import { commit, type Committed, type TransactionOptions } from "./typed/commit";
import { selectOperation } from "./typed/select";
import type { Transaction } from "./typed/transaction";
import type { AnyDatabase, ColumnName, DatabaseTypes, MonitoredRows, MonitorRequest, OwnerOf, Picked, Query, RowOf, TableName } from "./typed/types";

/**
 * Connects to the first endpoint of a comma list where the database can be used (`unix:PATH`, `tcp:HOST:PORT`,
 * `ssl:HOST:PORT`, `exec:COMMAND`); of a clustered database, to the leader. Rejects with a ConnectionError, a
 * ProtocolError, or an RpcError ("unknown database").
 *
 * `connect<OVN_Northbound>(...)` types rows by the schema that the type was generated from (see `ovsdb-types`).
 */
export async function connect<DB extends DatabaseTypes = AnyDatabase>(endpoints: string, options: ClientOptions): Promise<OvsdbClient<DB>> {
  if (options.signal?.aborted) throw new AbortError("connect was aborted", { cause: options.signal.reason });
  const session = new Session(endpoints, options);
  try {
    await session.start();
  } catch (error) {
    if (options.signal?.aborted) throw new AbortError("connect was aborted", { cause: options.signal.reason });
    throw error;
  }
  return new OvsdbClient(session, options);
}

const unknownSince: Since = () => undefined;

export class OvsdbClient<DB extends DatabaseTypes = AnyDatabase> {
  readonly database: string;
  private readonly since: Since;
  private readonly schema: SchemaInUse;

  /** Use `connect`. */
  constructor(
    private readonly session: Session,
    private readonly options: ClientOptions,
  ) {
    this.database = options.database;
    this.since = options.since ?? unknownSince;
    this.schema = new SchemaInUse(session, options.database, this.since);
  }

  /** The same client with other types: those of a schema, or none, as functions want it that know no schema. */
  as<Other extends DatabaseTypes = AnyDatabase>(): OvsdbClient<Other> {
    return this as unknown as OvsdbClient<Other>;
  }

  /** The endpoint in use, or the last that was, as `describeEndpoint` shows it. */
  get endpoint(): string {
    return this.session.endpoint;
  }

  /** IP address of the server at that endpoint, which may be a host name. undefined: `unix:` and `exec:` have none. */
  get peer(): string | undefined {
    return this.session.peer;
  }

  /** When the certificate of the server at that endpoint expires. undefined: the connection has no TLS. */
  get certificateExpiry(): Date | undefined {
    return this.session.certificateExpiry;
  }

  /** State of the database on the server: `model` is "standalone", "clustered" or "relay". undefined: no connection. */
  get served(): { readonly model: string; readonly clusterId: string | undefined } | undefined {
    return this.session.served;
  }

  get connected(): boolean {
    return this.session.connected;
  }

  /**
   * Subscribes to events about connections, leaders and resynchronisations. Returns a function that unsubscribes. An error thrown by a listener
   * is an uncaught exception; the client continues.
   */
  subscribe(listener: ClientListener): () => void {
    return this.session.events.add(listener);
  }

  /**
   * Executes one transaction, all or nothing (RFC 7047 section 4.1.3). Many may be in progress; the server executes them in the order of the
   * calls. Operations and results are in wire form; see `TableSchema.encodeRow` and `decodeRow`.
   *
   * Throws OperationError (refused; nothing was written), OutcomeUnknownError (sent, no reply: read to find out), TimeoutError (only selects and
   * waits), ConnectionError (not sent within the timeout), ValueError (not encodable), RpcError, AbortError, ProtocolError.
   */
  async transact<const T extends readonly Operation[]>(operations: T, options?: CallOptions): Promise<Results<T>> {
    checkOperations(operations);
    const nature = writesNothing(operations) ? "read" : "write";
    return this.request(
      "transact",
      [this.database, ...operations],
      nature,
      options,
      (result) => readResults(operations, result, this.since, this.endpoint) as Results<T>,
    );
  }

  /**
   * Rows as values: strings, numbers, arrays, Maps (see `Value`). `where`: one row by its UUID, rows with equal
   * columns (`{ name: "blue" }`), or conditions (`[["priority", ">=", 100]]`). `_uuid` is always among the columns.
   * Throws what `transact` does, a SchemaError for a table or column that the server does not have, a ValueError for
   * a value that its column can't hold.
   */
  async select<T extends TableName<DB>, C extends ColumnName<RowOf<DB, T>> = ColumnName<RowOf<DB, T>>>(
    table: T,
    query: Query<RowOf<DB, T>, C, OwnerOf<DB, NoInfer<T>>> = {},
    options?: CallOptions,
  ): Promise<Picked<RowOf<DB, T>, C>[]> {
    const end = this.expires(options);
    const { operation, read } = selectOperation(await this.getSchema(options), table, query);
    const [result] = await this.transact([operation], { ...options, timeout: end - performance.now() });
    return read(result) as unknown as Picked<RowOf<DB, T>, C>[];
  }

  /**
   * A transaction put together from typed values. `build` may read, with the transaction's `select`, and make the
   * commit depend on what it read (`verify`): when others change that in between, nothing is written, and `build` runs
   * again. So it should do nothing else. Nothing is sent when it throws.
   *
   * Throws a ConflictError when what is verified changes at every attempt, else what `transact` does; after an
   * OutcomeUnknownError it does not try again.
   */
  transaction<R>(build: (transaction: Transaction<DB>) => R | Promise<R>, options: TransactionOptions = {}): Promise<Committed<R>> {
    const client = {
      schema: (limits: CallOptions) => this.getSchema(limits),
      transact: (operations: readonly Operation[], limits: CallOptions) => this.transact(operations, limits),
    };
    return commit<DB, R>(client, build, { ...options, timeout: options.timeout ?? this.options.timeout ?? DEFAULTS.timeout });
  }

  /**
   * Calls any other method of the server, in wire form: `call("convert", ["NB", schema])`. Methods of the connection (`monitor`, `lock`, ...)
   * have their own methods here. Throws like `transact`. `readOnly`: the method writes nothing, so it is sent again after a lost connection.
   */
  async call(method: string, params: readonly unknown[] = [], options: CallOptions & { readonly readOnly?: boolean | undefined } = {}): Promise<unknown> {
    checkMethod(method);
    return this.request(method, params, options.readOnly === true ? "read" : "write", options, (result) => result);
  }

  /**
   * The database's schema as this server has it; asked for once per connection, and again when it was converted. The
   * columns of a table are read when they are used: what is wrong with them is a SchemaError then.
   */
  getSchema(options?: CallOptions): Promise<DatabaseSchema> {
    return this.schema.get(this.expires(options), options?.signal);
  }

  listDatabases(options?: CallOptions): Promise<string[]> {
    return this.request("list_dbs", [], "read", options, (result) => {
      if (!Array.isArray(result) || !result.every((name) => typeof name === "string")) throw new ProtocolError("the result of list_dbs is not a list of names");
      return result;
    });
  }

  /** The server's own UUID (OVS 2.7): differs between the servers of a cluster. */
  getServerId(options?: CallOptions): Promise<string> {
    return this.request("get_server_id", [], "read", options, (result) => {
      if (typeof result !== "string") throw new ProtocolError("the result of get_server_id is not a UUID");
      return result;
    });
  }

  /**
   * Monitors tables (RFC 7047 section 4.1.5 and ovsdb-server(7)): resolves when the cache has their contents.
   * Throws a SchemaError for a table or column that the server does not have.
   */
  async monitor<const M extends MonitorRequest<DB>>(tables: M, options?: CallOptions): Promise<Monitor<MonitoredRows<DB, M>>> {
    const expires = this.expires(options);
    const reading = this.getSchema(options);
    const isCurrent = this.schema.watch();
    const schema = await reading;
    const context = {
      session: this.session,
      database: this.database,
      readSchema: (reply: unknown) => knownSchema(reply, this.since),
      expires: (limits: CallOptions | undefined) => this.expires(limits),
    };
    const monitor = new Monitor<MonitoredRows<DB, M>>(context, schema, tables as MonitorTables);
    await monitor.start(expires, options?.signal, isCurrent());
    return monitor;
  }

  /** Asks for a lock (RFC 7047 section 4.1.8): resolves when it is held or queued for. A client has a lock once. */
  lock(name: string, options?: CallOptions): Promise<Lock> {
    return this.own("lock", name, options);
  }

  /** Takes a lock from its holder. */
  steal(name: string, options?: CallOptions): Promise<Lock> {
    return this.own("steal", name, options);
  }

  /**
   * Lets go of what was seen of the cluster (its UUID, the log indexes of its servers), so that a cluster that was created
   * again, or restored from a backup on purpose, is accepted. `clusterId` of the options still holds.
   */
  forgetCluster(): void {
    this.session.forgetCluster();
  }

  /** Returns what was sent: a sign of life. */
  echo(params: readonly unknown[] = [], options?: CallOptions): Promise<unknown> {
    return this.request("echo", params, "read", options, (result) => result);
  }

  /**
   * Gives up everything: open calls fail (writes that were sent, with OutcomeUnknownError). Resolves when
   * nothing is left open: sockets, timers, programs.
   */
  close(): Promise<void> {
    return this.session.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  private async own(method: "lock" | "steal", name: string, options: CallOptions | undefined): Promise<Lock> {
    const lock = new Lock(this.session, name);
    await lock.start(method, this.expires(options), options?.signal);
    return lock;
  }

  private expires(options: CallOptions | undefined): number {
    return performance.now() + (options?.timeout ?? this.options.timeout ?? DEFAULTS.timeout);
  }

  private request<R>(method: string, params: readonly unknown[], nature: Nature, options: CallOptions | undefined, read: (result: unknown) => R): Promise<R> {
    return request(this.session, { method, params, nature, expires: this.expires(options), signal: options?.signal }, read);
  }
}
