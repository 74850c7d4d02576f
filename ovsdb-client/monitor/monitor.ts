import { ConnectionError, type OvsdbError, ProtocolError, RpcError } from "../errors";
import { newCall } from "../rpc/call";
import { Listeners } from "../rpc/listeners";
import type { DatabaseSchema } from "../schema/schema";
import { DEFAULTS } from "../session/options";
import { rpcError } from "../session/server";
import type { Session, SessionListener } from "../session/session";
import type { AnyRows } from "../typed/types";
import type { MonitorCondition } from "../wire";
import { type RowChange, TableCache } from "./cache";
import { METHODS, type MonitorMethod, monitorParams, type MonitorTables, NO_TRANSACTION } from "./request";
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

/** Milliseconds; nobody waits for it. */
const CANCEL_DEADLINE = 10_000;

let lastMonitor = 0;

/**
 * A copy of tables that follows the database, over reconnects too: where the server can, only what was
 * missed is sent. The own changes of this client are in it before their `transact` resolves.
 */
export class Monitor<R extends { readonly [T in keyof R]: object } = AnyRows> implements SessionListener {
  readonly tables: ReadonlyMap<string, TableCache>;
  private readonly id = `monitor-${++lastMonitor}`;
  private readonly watchers = new Listeners<MonitorListener<R>>();
  private wanted: MonitorTables;
  private version = 0;
  private lastTransaction = NO_TRANSACTION;
  private following = false;
  private ready: { resolve(): void; reject(error: OvsdbError): void } | undefined;

  /** @internal Use `OvsdbClient.monitor`. */
  constructor(
    private readonly session: Session,
    private readonly database: string,
    schema: DatabaseSchema,
    tables: MonitorTables,
  ) {
    const named = Object.entries(tables).map(([name, request]) => {
      const table = schema.table(name);
      return [name, { ...request, columns: request.columns ?? [...table.columns.keys()] }] as const;
    });
    this.wanted = Object.fromEntries(named);
    this.tables = new Map(named.map(([name, { columns }]) => [name, new TableCache(schema.table(name), columns)]));
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

  /** Other rows of a monitored table from now on: the cache has them when this resolves. */
  async setWhere(table: keyof R & string, where: readonly MonitorCondition[] | undefined, options: { deadline?: number | undefined } = {}): Promise<void> {
    if (this.method === "monitor") throw new RpcError("monitor_cond_change", "not supported", "the server is too old for conditions");
    this.table(table);
    this.wanted = { ...this.wanted, [table]: { ...this.wanted[table], where } };
    await new Promise<void>((resolve, reject) => {
      const reply = (_result: unknown, error: unknown) => (error === undefined ? resolve() : reject(rpcError("monitor_cond_change", error)));
      const fail = (error: OvsdbError) => {
        // Whether the server has taken the new condition is unknown: the next connection reads everything.
        this.lastTransaction = NO_TRANSACTION;
        reject(error);
      };
      const expires = performance.now() + (options.deadline ?? DEFAULTS.deadline);
      const params = [this.id, this.id, { [table]: [{ where: where ?? [true] }] }];
      this.session.send(newCall("monitor_cond_change", params, "session", expires, { reply, fail }));
    });
  }

  /** @internal Resolves when the cache has the tables' contents. */
  start(expires: number): Promise<void> {
    this.session.listeners.add(this);
    return new Promise((resolve, reject) => {
      this.ready = { resolve, reject };
      if (this.session.connected) this.request(expires);
    });
  }

  /** Ends the monitor; the cache keeps its last state. */
  cancel(): void {
    if (!this.session.listeners.delete(this)) return;
    this.following = false;
    const nothing = () => undefined;
    const expires = performance.now() + CANCEL_DEADLINE;
    if (this.session.connected) this.session.send(newCall("monitor_cancel", [this.id], "session", expires, { reply: nothing, fail: nothing }));
  }

  connected(): void {
    this.request(Infinity);
  }

  disconnected(error: OvsdbError): void {
    this.following = false;
    this.watchers.tell((listener) => listener.stale?.(error));
  }

  notification(method: string, params: readonly unknown[]): void {
    if (params[0] !== this.id) return;
    if (method === "update3") this.lastTransaction = String(params[1]);
    if (method === "update" || method === "update2") this.changed(applyUpdates(this.tables, params[1]));
    else if (method === "update3") this.changed(applyUpdates(this.tables, params[2]));
    // The database was converted or replaced: what the server knew of us is gone.
    else if (method === "monitor_canceled") this.restart();
  }

  private restart(): void {
    this.lastTransaction = NO_TRANSACTION;
    this.following = false;
    this.request(Infinity);
  }

  private request(expires: number): void {
    const { method } = this;
    let params: unknown[];
    try {
      params = monitorParams(method, this.database, this.id, this.wanted, this.lastTransaction);
    } catch (error) {
      return this.failed(error as OvsdbError);
    }
    const reply = (result: unknown, error: unknown) => {
      if (error === undefined) return this.contents(method, result);
      const problem = rpcError(method, error, this.session.endpoint);
      if (problem.error !== "unknown method" || this.version === METHODS.length - 1) return this.failed(problem);
      this.version++;
      this.request(expires);
    };
    // A lost connection is not the monitor's end: the next one asks again.
    const fail = (error: OvsdbError) => {
      if (!(error instanceof ConnectionError) || this.ready !== undefined) this.failed(error);
    };
    this.session.send(newCall(method, params, "session", expires, { reply, fail, takesParts: true }));
  }

  private contents(method: MonitorMethod, result: unknown): void {
    let contents = result;
    let found = false;
    if (method === "monitor_cond_since") {
      if (!Array.isArray(result) || result.length !== 3) throw new ProtocolError("the result of monitor_cond_since is not [found, id, updates]");
      this.lastTransaction = String(result[1]);
      found = result[0] === true;
      contents = result[2];
    }
    const { ready } = this;
    const changes = ready !== undefined ? fill(this.tables, contents) : found ? applyUpdates(this.tables, contents) : applyContents(this.tables, contents);
    this.following = true;
    this.ready = undefined;
    ready?.resolve();
    this.changed(changes);
    this.watchers.tell((listener) => listener.current?.());
    if (ready === undefined) this.session.events.tell("resynced", { ...this.session.where, tables: [...this.tables.keys()], whole: !found, changes: changes.length });
  }

  private failed(error: OvsdbError): void {
    this.session.listeners.delete(this);
    this.following = false;
    this.ready?.reject(error);
    this.ready = undefined;
    this.watchers.tell((listener) => listener.failed?.(error));
  }

  private changed(changes: readonly RowChange[]): void {
    if (changes.length > 0) this.watchers.tell((listener) => listener.changed?.(changes as unknown as readonly ChangeOf<R>[]));
  }
}
