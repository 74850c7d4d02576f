import { AbortError, type OvsdbError, ProtocolError, RpcError } from "../errors";
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
import type { TableCache } from "./cache";
import { type ConditionChange, ConditionChanges } from "./conditions";
import { Copy } from "./copy";
import { type Answered, Inquiry } from "./inquiry";
import { type Contents, type MonitorMethod, type MonitorTables, NO_TRANSACTION } from "./request";
import type { RowChange } from "./row";

/** A change in one of the tables; `table` determines the type of the rows. */
export type ChangeOf<R extends object> = { [T in keyof R & string]: RowChange<R[T] & object> & { readonly table: T } }[keyof R & string];

export interface MonitorListener<R extends object = AnyRows> {
  /** All changes of one update: of one transaction, or of all that was missed while there was no connection. */
  changed?(changes: readonly ChangeOf<R>[]): void;
  /** The connection is lost; the cache is not updated. */
  stale?(error: OvsdbError): void;
  /** The cache follows the database (again). */
  current?(): void;
  /** The server will not go on with this monitor. */
  failed?(error: OvsdbError): void;
}

/** Services of the client that a monitor uses. */
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
  private readonly copy: Copy;
  private readonly inquiry: Inquiry;
  private following = false;
  private ready: Pending | undefined;
  private over: OvsdbError | undefined;

  /** @internal Use `OvsdbClient.monitor`. */
  constructor(
    private readonly context: MonitorContext,
    schema: DatabaseSchema,
    requested: MonitorTables,
  ) {
    const { session, database, readSchema } = context;
    this.session = session;
    this.copy = new Copy(requested, schema);
    this.tables = this.copy.tables;
    const inquirer = {
      id: this.id,
      database,
      readSchema,
      get endpoint() {
        return session.endpoint;
      },
      ask: this.ask.bind(this),
      contents: this.contents.bind(this),
      failed: this.failed.bind(this),
    };
    this.inquiry = new Inquiry(inquirer, this.copy);
  }

  /** The method in use; it depends on the server's age. */
  get method(): MonitorMethod {
    return this.inquiry.method;
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
   * @param isCurrent whether the schema is still the server's, as far as reported
   */
  async start(expires: number, signal: AbortSignal | undefined, isCurrent: boolean): Promise<void> {
    const ready = this.session.pending("monitor", expires, signal);
    if (!ready.open) return ready.promise;
    this.ready = ready;
    this.session.listeners.add(this);
    if (this.session.connected) this.inquiry.begin(isCurrent);
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
    this.inquiry.begin();
  }

  schemaChanged(): void {
    this.inquiry.schemaChanged();
  }

  disconnected(error: OvsdbError): void {
    this.pause();
    this.watchers.tell((listener) => listener.stale?.(error));
  }

  notification(method: string, params: readonly unknown[]): void {
    if (params[0] !== this.id || !this.following) return;
    if (method === "update" || method === "update2") this.changed(this.copy.update(NO_TRANSACTION, params[1]));
    else if (method === "update3") this.changed(this.copy.update(text(params[1], "the transaction of an update"), params[2]));
    // After a conversion or replacement of the database, the server has forgotten this monitor.
    else if (method === "monitor_canceled") this.restart();
  }

  private restart(): void {
    this.pause();
    this.copy.forget();
    this.inquiry.again();
  }

  /** The server does not have the monitor any more. */
  private pause(): void {
    this.following = false;
    this.inquiry.stop();
    if (this.conditions.interrupt()) this.copy.forget();
  }

  private contents(contents: Contents): void {
    const { first, changes } = this.copy.renew(contents);
    this.following = true;
    this.ready?.resolve();
    this.changed(changes);
    this.watchers.tell((listener) => listener.current?.());
    if (!first)
      this.session.events.tell("resynced", { ...this.session.where, tables: [...this.tables.keys()], whole: !contents.found, changes: changes.length });
    this.conditions.begin();
  }

  private sendChange(change: ConditionChange): void {
    const { table, where, taken } = change;
    const method = "monitor_cond_change";
    if (this.method === "monitor") {
      taken.reject(new RpcError(method, "not supported", "the server is too old for conditions", { endpoint: this.session.endpoint }));
      return this.conditions.answered();
    }
    this.ask(method, [this.id, this.id, { [table]: [{ where: where ?? [true] }] }], (_result, error) => {
      // The server had cancelled the monitor before it read this: the change is sent again with the next one.
      if (!this.conditions.isSent(change)) return;
      if (error === undefined) this.copy.choose(table, where);
      if (error === undefined) taken.resolve();
      else taken.reject(rpcError(method, error, this.session.endpoint));
      this.conditions.answered();
    });
  }

  /** A lost connection is not the monitor's end: the next one asks again. */
  private ask(method: string, params: readonly unknown[], answered: Answered, takesParts = false): void {
    const reply = (result: unknown, error: unknown) => {
      if (this.over === undefined) answered(result, error);
    };
    const fail = (error: OvsdbError) => {
      // Asking a server again that talks garbage would only hide it.
      if (error instanceof ProtocolError && (this.copy.unreadable || this.ready?.open === true)) this.failed(error);
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
    this.inquiry.stop();
    this.conditions.end(error);
    if (this.session.connected) this.session.send(newCall("monitor_cancel", [this.id], "session", Infinity, { reply: nothing, fail: nothing }));
  }

  private changed(changes: readonly RowChange[]): void {
    if (changes.length > 0) this.watchers.tell((listener) => listener.changed?.(changes as unknown as readonly ChangeOf<R>[]));
  }
}
