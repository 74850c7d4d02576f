import { ConnectionError, type OvsdbError } from "../errors";
import type { Call } from "../rpc/call";
import type { Connection } from "../rpc/connection";
import type { Pending } from "../rpc/pending";
import { type Endpoint, parseEndpoints } from "../transport/endpoint";
import { Calls } from "./calls";
import { Dialer, shuffled } from "./dialer";
import { type EstablishOptions, establishOptions, refusal } from "./establish";
import { type ConnectionEvent, Events } from "./events";
import { aborted, expired } from "./fate";
import { Hold } from "./hold";
import type { Link, LinkEvents } from "./link";
import { ClusterServers } from "./cluster-servers";
import { type ClientOptions, DEFAULTS } from "./options";
import { Report } from "./report";
import type { ServerDatabase } from "./server";
import { Waits } from "./waits";

export interface SessionListener {
  /** Called on each new connection, before waiting calls are sent: its messages go first. */
  connected?(): void;
  disconnected?(error: OvsdbError): void;
  notification?(method: string, params: readonly unknown[]): void;
  schemaChanged?(): void;
}

/**
 * One logical connection to a database over endpoints, leaders and reconnects: selects the connection in use. `Calls` handles calls, `Dialer`
 * finds connections, `Report` informs the caller.
 */
export class Session implements LinkEvents {
  readonly listeners = new Set<SessionListener>();
  /** Listeners of the caller. */
  readonly events: Events;
  private readonly report: Report;
  private readonly clusterServers: ClusterServers;
  private readonly usable: EstablishOptions;
  private readonly dialer: Dialer;
  private readonly calls: Calls;
  private readonly waits = new Waits();
  private readonly hold: Hold;
  private readonly stop = new AbortController();
  /** Connections to former leaders that still owe replies. */
  private readonly draining = new Set<Link>();
  private current: Link | undefined;
  private lastEndpoint: Endpoint;
  private lastPeer: string | undefined;
  private lastExpiry: Date | undefined;
  private dialing: Promise<void> | undefined;
  private lastError: OvsdbError | undefined;
  /** Kept for good: a server that was left may answer after another one, of another kind, has replaced it. */
  private seen: "cluster" | "relay" | undefined;

  constructor(
    endpoints: string,
    private readonly options: ClientOptions,
  ) {
    const listed = parseEndpoints(endpoints);
    const tried = options.shuffle === false ? listed : shuffled(listed);
    this.lastEndpoint = tried[0]!;
    this.events = new Events(listed);
    if (options.listener !== undefined) this.events.add(options.listener);
    this.report = new Report(this.events);
    this.clusterServers = new ClusterServers(options.checkMembers ?? true, options.clusterId);
    this.usable = establishOptions(options, this.clusterServers);
    this.hold = new Hold(options.unref === true);
    this.calls = new Calls({
      current: () => this.current?.connection,
      open: () => this.open(),
      endpoint: () => this.endpoint,
      lastError: () => this.lastError,
    });
    const backoff = typeof options.reconnect === "object" ? options.reconnect : {};
    this.dialer = new Dialer(listed, tried, this.usable, options.connectTimeout ?? DEFAULTS.connectTimeout, backoff, this);
  }

  get endpoint(): string {
    return this.lastEndpoint.text;
  }

  get peer(): string | undefined {
    return this.lastPeer;
  }

  get certificateExpiry(): Date | undefined {
    return this.lastExpiry;
  }

  get served(): ServerDatabase | undefined {
    return this.current?.server.database;
  }

  /** The endpoint as events have it. */
  get where(): ConnectionEvent {
    return this.events.at(this.lastEndpoint);
  }

  get connected(): boolean {
    return this.current !== undefined;
  }

  /** Who may still carry out a write that its server has cancelled: a cluster, or the source of a relay. */
  get behind(): "cluster" | "relay" | undefined {
    return this.seen;
  }

  /** See `OvsdbClient.forgetCluster`. */
  forgetCluster(): void {
    this.clusterServers.forget();
  }

  async start(): Promise<void> {
    this.use(await this.dialer.first(this.options.signal ?? this.stop.signal));
  }

  send(call: Call): void {
    if (this.current !== undefined) this.hold.hold(this.current.connection);
    else if (this.dialing === undefined) return call.fail(this.lastError ?? new ConnectionError("not connected", { endpoint: this.endpoint }));
    this.calls.send(call);
  }

  /** See `Calls.abort`. */
  abort(call: Call, reason: unknown): void {
    this.calls.abort(call, reason);
  }

  /** A promise that is rejected when its time is up, when `signal` fires, and when no connection will come any more. */
  pending<T = void>(method: string, expires: number, signal?: AbortSignal): Pending<T> {
    const late = () => expired({ method, nature: "read", sent: this.connected, aborted: false }, this.endpoint, this.lastError);
    return this.waits.begin<T>({ expires, signal, late, aborted: (reason) => aborted({ method }, reason, this.endpoint) });
  }

  async close(): Promise<void> {
    const error = new ConnectionError("the client was closed", { endpoint: this.endpoint });
    this.lastError = error;
    this.stop.abort(error);
    this.waits.end(error);
    this.calls.stop();
    await Promise.all([...this.open()].map((connection) => connection.close(error)));
    await this.dialing;
    // Later calls need not wait.
    this.dialing = undefined;
    this.calls.failQueued(error);
    // The event loop closes what was let go of at the end of a turn, after that turn's immediates.
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
  }

  notification(link: Link, method: string, params: readonly unknown[]): void {
    if (link === this.current) this.tell((listener) => listener.notification?.(method, params));
  }

  converted(link: Link): void {
    if (link === this.current) this.tell((listener) => listener.schemaChanged?.());
  }

  server(link: Link): void {
    if (link !== this.current) return;
    this.report.leader(link);
    const problem = refusal(link, this.usable);
    if (problem !== undefined) this.leave(link, problem);
    else this.clusterServers.note(link.server.database!);
  }

  idle(link: Link): void {
    if (this.draining.has(link)) void link.connection.close(new ConnectionError("the leader has moved", { endpoint: link.endpoint.text }));
    else if (link === this.current) this.hold.release(link.connection);
  }

  closed(link: Link, error: OvsdbError, calls: Call[]): void {
    this.draining.delete(link);
    if (link === this.current) this.lose(link, error);
    const goesOn = this.current !== undefined || this.dialing !== undefined;
    this.calls.lost(calls, error, goesOn && !this.stop.signal.aborted);
  }

  private *open(): Iterable<Connection> {
    if (this.current !== undefined) yield this.current.connection;
    for (const { connection } of this.draining) yield connection;
  }

  private use(link: Link): void {
    this.lastEndpoint = link.endpoint;
    this.lastPeer = link.peer;
    this.lastExpiry = link.certificateExpiry;
    this.dialing = undefined;
    if (link.connection.broken !== undefined) return this.lose(link, link.connection.broken);
    this.current = link;
    this.lastError = undefined;
    this.hold.begin();
    const model = link.server.database?.model;
    if (model !== "standalone") this.seen = model === "relay" ? "relay" : "cluster";
    this.tell((listener) => listener.connected?.());
    this.calls.flush(link.connection);
    this.report.connected(link);
    // Messages that arrived since the server was found usable count too.
    this.server(link);
    if (!link.connection.busy) this.hold.release(link.connection);
  }

  /** The server is no longer the leader: it may answer pending requests, the next server receives all others. */
  private leave(link: Link, problem: OvsdbError): void {
    this.lose(link, problem);
    this.draining.add(link);
    // A monitor or a lock ends with its connection.
    for (const call of [...link.connection.calls()]) if (call.nature === "session") this.calls.settle(call, problem);
    this.calls.lost(link.connection.takeUnfinished(), problem, this.dialing !== undefined);
    if (!link.connection.busy) this.idle(link);
  }

  private lose(link: Link, error: OvsdbError): void {
    const isCurrent = this.current === link;
    this.current = undefined;
    this.lastError = error;
    const goesOn = this.options.reconnect !== false && !this.stop.signal.aborted;
    if (goesOn) this.dialing = this.dial(link.endpoint);
    this.tell((listener) => listener.disconnected?.(error));
    if (!goesOn) this.waits.end(error);
    if (isCurrent) this.report.disconnected(link.endpoint, error);
  }

  private async dial(after: Endpoint): Promise<void> {
    const link = await this.dialer.again(after, this.stop.signal, (error) => {
      this.lastError = error;
      this.report.unreachable(error);
    });
    if (link === undefined) return;
    if (this.stop.signal.aborted) await link.connection.close(this.lastError!);
    else this.use(link);
  }

  /** Calls listeners, which may change the list meanwhile. */
  private tell(how: (listener: SessionListener) => void): void {
    for (const listener of [...this.listeners]) how(listener);
  }
}
