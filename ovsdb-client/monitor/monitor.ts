import { AbortError, type OvsdbError, ProtocolError, RpcError, SchemaError } from "../errors";
import { newCall } from "../rpc/call";
import { Listeners } from "../rpc/listeners";
import type { Pending } from "../rpc/pending";
import { text } from "../rpc/record";
import type { DatabaseSchema } from "../schema/schema";
import type { CallOptions } from "../session/options";
import { rpcError } from "../session/server";
import type { Session, SessionListener } from "../session/session";
import type { AnyRows } from "../typed/types";
import type { MonitorCondition } from "../wire";
import { TableCache } from "./cache";
import { type ConditionChange, ConditionChanges } from "./conditions";
import { convertTables } from "./conversion";
import { METHODS, type MonitorMethod, monitorParams, type MonitorTables, NO_TRANSACTION, readContents, type WantedTable, withColumns } from "./request";
import type { RowChange } from "./row";
import { applyContents, applyUpdates, fill } from "./updates";

/** A change in one of the tables; `table` tells in which, and so the type of the rows. */
export type ChangeOf<R extends object> = { [T in keyof R & string]: RowChange<R[T] & object> & { readonly table: T } }[keyof R & string];

export interface MonitorListener<R extends object = AnyRows> {
  /** All changes of one update: of one transaction, or of all that was missed while there was no connection. */
  changed?(changes: readonly ChangeOf<R>[]): void;
  /** The connection is lost: the cache stands still. */
  stale?(error: OvsdbError): void;
  /** The cache follows the database (again). */
  current?(): void;
  /** The server will not go on with this monitor. */
  failed?(error: OvsdbError): void;
}

/** What a monitor needs of its client. */
export interface MonitorContext {
  readonly session: Session;
  readonly database: string;
  /** Reads the server's reply to `get_schema`. */
  readSchema(reply: unknown): DatabaseSchema;
  /** When a call with these options has to be over, on the clock of `performance.now()`. */
  expires(options: CallOptions | undefined): number;
}

const nothing = () => undefined;

let lastMonitor = 0;

/**
 * A copy of tables that follows the database, over reconnects too: where the server can, only what was
 * missed is sent. The own changes of this client are in it before their `transact` resolves.
 */
export class Monitor<R extends { readonly [T in keyof R]: object } = AnyRows> implements SessionListener {
  readonly tables: ReadonlyMap<string, TableCache>;
  private readonly id = `monitor-${++lastMonitor}`;
  private readonly watchers = new Listeners<MonitorListener<R>>();
  private readonly conditions = new ConditionChanges((change) => this.sendChange(change));
  private readonly session: Session;
  private readonly wanted: Record<string, WantedTable>;
  private version = 0;
  private lastTransaction = NO_TRANSACTION;
  private following = false;
  /** The request in progress is of no use: it was made for another schema. */
  private outdated = false;
  /** The contents were asked for without the schema, and have not come. */
  private asking = false;
  /** The whole contents could not be read. */
  private unreadable = false;
  /** The tables have had their contents at least once. */
  private filled = false;
  private ready: Pending | undefined;
  private over: OvsdbError | undefined;

  /** @internal Use `OvsdbClient.monitor`. */
  constructor(
    private readonly context: MonitorContext,
    schema: DatabaseSchema,
    private readonly requested: MonitorTables,
  ) {
    this.session = context.session;
    this.wanted = withColumns(requested, schema);
    this.tables = new Map(Object.entries(this.wanted).map(([name, { columns }]) => [name, new TableCache(schema.table(name), columns)]));
  }

  /** The method in use; it depends on the server's age. */
  get method(): MonitorMethod {
    return METHODS[this.version]!;
  }

  /** Does the cache follow the database now? */
  get current(): boolean {
    return this.following;
  }

  /** Throws a TypeError for a table that is not monitored. */
  table<T extends keyof R & string>(name: T): TableCache<R[T]> {
    const table = this.tables.get(name);
    if (table === undefined) throw new TypeError(`the table ${name} is not monitored`);
    return table as unknown as TableCache<R[T]>;
  }

  /** Returns a function that ends the subscription. */
  subscribe(listener: MonitorListener<R>): () => void {
    return this.watchers.add(listener);
  }

  /**
   * Other rows of a monitored table from now on: the cache has them when this resolves, also when it has to wait for
   * a connection. Rejects with an RpcError when the server refuses the condition: the old one stays. After a
   * TimeoutError or an AbortError the server may take it nevertheless, if it had been sent.
   */
  async setWhere(table: keyof R & string, where: readonly MonitorCondition[] | undefined, options: CallOptions = {}): Promise<void> {
    this.table(table);
    if (this.over !== undefined) throw this.over;
    const taken = this.session.pending("monitor_cond_change", this.context.expires(options), options.signal);
    this.conditions.add({ table, where, taken });
    await taken.promise;
  }

  /**
   * @internal Resolves when the cache has the tables' contents.
   * @param isCurrent the schema is the one that the server has now, as far as it has told
   */
  async start(expires: number, signal: AbortSignal | undefined, isCurrent: boolean): Promise<void> {
    const ready = this.session.pending("monitor", expires, signal);
    if (!ready.open) return ready.promise;
    this.ready = ready;
    this.session.listeners.add(this);
    if (this.session.connected) this.request(isCurrent);
    try {
      await ready.promise;
    } catch (error) {
      this.end(error as OvsdbError);
      throw error;
    }
  }

  /** Ends the monitor; the cache keeps its last state. */
  cancel(): void {
    this.end(new AbortError("the monitor was cancelled", { endpoint: this.session.endpoint }));
  }

  connected(): void {
    this.request();
  }

  /** The server tells of a conversion before it answers what was asked after it. */
  schemaChanged(): void {
    if (this.asking) this.outdated = true;
  }

  disconnected(error: OvsdbError): void {
    this.pause();
    this.watchers.tell((listener) => listener.stale?.(error));
  }

  notification(method: string, params: readonly unknown[]): void {
    if (params[0] !== this.id || !this.following) return;
    if (method === "update" || method === "update2") this.update(NO_TRANSACTION, params[1]);
    else if (method === "update3") this.update(text(params[1], "the transaction of an update"), params[2]);
    // The database was converted or replaced: what the server knew of us is gone.
    else if (method === "monitor_canceled") this.restart();
  }

  /** What a failed update leaves out must not be skipped by the next resynchronisation: it reads everything. */
  private update(transaction: string, updates: unknown): void {
    this.lastTransaction = NO_TRANSACTION;
    const changes = applyUpdates(this.tables, updates);
    this.lastTransaction = transaction;
    this.changed(changes);
  }

  private restart(): void {
    this.pause();
    this.lastTransaction = NO_TRANSACTION;
    this.request();
  }

  /** The server does not have the monitor any more. */
  private pause(): void {
    this.following = false;
    if (this.conditions.interrupt()) this.lastTransaction = NO_TRANSACTION;
  }

  /** The schema goes first, in one go: the contents are read by the types that the server has now. One that is current need not be asked for again. */
  private request(isCurrent = false): void {
    const { method } = this;
    let params: unknown[];
    try {
      params = monitorParams(method, this.context.database, this.id, this.wanted, this.lastTransaction);
    } catch (error) {
      return this.failed(error as OvsdbError);
    }
    this.outdated = false;
    this.asking = isCurrent;
    const converted = (schema: unknown, error: unknown): void => {
      if (error === undefined) this.convert(schema);
    };
    if (!isCurrent) this.ask("get_schema", [this.context.database], converted);
    this.ask(method, params, (result, error) => this.answer(method, result, error), true);
  }

  private answer(method: MonitorMethod, result: unknown, error: unknown): void {
    this.asking = false;
    if (this.outdated) {
      if (error === undefined) this.ask("monitor_cancel", [this.id], nothing);
      return this.request();
    }
    if (error === undefined) return this.contents(method, result);
    const problem = rpcError(method, error, this.session.endpoint);
    if (problem.error !== "unknown method" || this.version === METHODS.length - 1) return this.failed(problem);
    this.version++;
    this.request();
  }

  private convert(reply: unknown): void {
    try {
      const changed = convertTables(this.tables, this.requested, this.wanted, this.context.readSchema(reply));
      if (!changed.rows) return;
      this.outdated = changed.columns || this.lastTransaction !== NO_TRANSACTION;
      this.lastTransaction = NO_TRANSACTION;
    } catch (error) {
      if (!(error instanceof SchemaError)) throw error;
      this.failed(error);
    }
  }

  private contents(method: MonitorMethod, result: unknown): void {
    const { found, transaction, updates } = readContents(method, result);
    const first = !this.filled;
    let changes: RowChange[];
    try {
      changes = first ? fill(this.tables, updates) : found ? applyUpdates(this.tables, updates) : applyContents(this.tables, updates);
    } catch (error) {
      // What is missing now must not be skipped by the next connection; whole contents are not asked for twice.
      this.lastTransaction = NO_TRANSACTION;
      this.unreadable = !found;
      throw error;
    }
    this.lastTransaction = transaction;
    this.filled = true;
    this.following = true;
    this.ready?.resolve();
    this.changed(changes);
    this.watchers.tell((listener) => listener.current?.());
    if (!first) this.session.events.tell("resynced", { ...this.session.where, tables: [...this.tables.keys()], whole: !found, changes: changes.length });
    this.conditions.begin();
  }

  private sendChange({ table, where, taken }: ConditionChange): void {
    const method = "monitor_cond_change";
    if (this.method === "monitor") {
      taken.reject(new RpcError(method, "not supported", "the server is too old for conditions", { endpoint: this.session.endpoint }));
      return this.conditions.answered();
    }
    this.ask(method, [this.id, this.id, { [table]: [{ where: where ?? [true] }] }], (_result, error) => {
      if (error === undefined) this.wanted[table] = { ...this.wanted[table]!, where };
      if (error === undefined) taken.resolve();
      else taken.reject(rpcError(method, error, this.session.endpoint));
      this.conditions.answered();
    });
  }

  /** A lost connection is not the monitor's end: the next one asks again. */
  private ask(method: string, params: readonly unknown[], answered: (result: unknown, error: unknown) => void, takesParts = false): void {
    const reply = (result: unknown, error: unknown) => {
      if (this.over === undefined) answered(result, error);
    };
    const fail = (error: OvsdbError) => {
      // Asking a server again that talks garbage would only hide it.
      if (error instanceof ProtocolError && (this.unreadable || this.ready?.open === true)) this.failed(error);
    };
    this.session.send(newCall(method, params, "session", Infinity, { reply, fail, takesParts }));
  }

  private failed(error: OvsdbError): void {
    if (this.over !== undefined) return;
    this.end(error);
    this.ready?.reject(error);
    this.watchers.tell((listener) => listener.failed?.(error));
  }

  private end(error: OvsdbError): void {
    if (!this.session.listeners.delete(this)) return;
    this.over = error;
    this.following = false;
    this.conditions.end(error);
    if (this.session.connected) this.session.send(newCall("monitor_cancel", [this.id], "session", Infinity, { reply: nothing, fail: nothing }));
  }

  private changed(changes: readonly RowChange[]): void {
    if (changes.length > 0) this.watchers.tell((listener) => listener.changed?.(changes as unknown as readonly ChangeOf<R>[]));
  }
}
