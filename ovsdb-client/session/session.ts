import { ConnectionError, type OvsdbError, WrongClusterError } from "../errors";
import type { Call } from "../rpc/call";
import type { Connection } from "../rpc/connection";
import { Deadlines } from "../rpc/deadlines";
import { Pending } from "../rpc/pending";
import { type Endpoint, parseEndpoints } from "../transport/endpoint";
import { openTransport } from "../transport/open";
import { Dialer, shuffled } from "./dialer";
import { type ConnectedEvent, type ConnectionEvent, Events } from "./events";
import { aborted, expired, lost } from "./fate";
import type { Link, LinkEvents } from "./link";
import { Members } from "./members";
import { type ClientOptions, DEFAULTS } from "./options";
import { refuse } from "./server";

export interface SessionListener {
  /** On each new connection, before waiting calls are sent: what is said here goes first. */
  connected?(): void;
  disconnected?(error: OvsdbError): void;
  notification?(method: string, params: readonly unknown[]): void;
  schemaChanged?(): void;
}

/** Milliseconds for the server to say what became of a write that was aborted. */
const ABORT_GRACE = 1000;

/** One logical connection to a database: over endpoints, leaders and reconnects. */
export class Session implements LinkEvents {
  readonly listeners = new Set<SessionListener>();
  /** What the caller is told. */
  readonly events: Events;
  private readonly endpoints: readonly Endpoint[];
  private readonly dialer: Dialer;
  private readonly members: Members;
  private readonly deadlines = new Deadlines((now) => this.expire(now));
  private readonly stop = new AbortController();
  /** Connections to former leaders that still owe replies. */
  private readonly draining = new Set<Link>();
  private queue: Call[] = [];
  /** What callers wait for beside calls: over connections, and no longer than the session lasts. */
  private readonly pendings = new Set<Pending<never>>();
  private over: OvsdbError | undefined;
  private current: Link | undefined;
  private lastEndpoint: Endpoint;
  private lastPeer: string | undefined;
  private dialing: Promise<void> | undefined;
  private lastError: OvsdbError | undefined;
  private referenced = true;
  /** Kept for good: a server that was left may answer after another one, of another kind, has taken its place. */
  private seen: "cluster" | "relay" | undefined;
  private wasConnected = false;
  /** The server in use is a cluster's leader, as it was told last. */
  private leading = false;

  constructor(
    endpoints: string,
    private readonly options: ClientOptions,
  ) {
    const listed = parseEndpoints(endpoints);
    this.endpoints = options.shuffle === false ? listed : shuffled(listed);
    this.lastEndpoint = this.endpoints[0]!;
    this.events = new Events(listed);
    if (options.listener !== undefined) this.events.add(options.listener);
    this.members = new Members(options.checkMembers ?? true, options.clusterId);
    const establish = {
      database: options.database,
      leaderOnly: options.leaderOnly ?? true,
      members: this.members,
      tls: options.tls ?? {},
      open: options.open ?? openTransport,
      probeInterval: options.probeInterval ?? DEFAULTS.probeInterval,
      maxMessageBytes: options.maxMessageBytes ?? DEFAULTS.maxMessageBytes,
      maxDepth: DEFAULTS.maxDepth,
    };
    const backoff = typeof options.reconnect === "object" ? options.reconnect : {};
    this.dialer = new Dialer(listed, this.endpoints, establish, options.connectTimeout ?? DEFAULTS.connectTimeout, backoff, this);
  }

  get endpoint(): string {
    return this.lastEndpoint.text;
  }

  get peer(): string | undefined {
    return this.lastPeer;
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
    this.members.forget();
  }

  async start(): Promise<void> {
    this.use(await this.dialer.first(this.options.signal ?? this.stop.signal));
  }

  send(call: Call): void {
    if (this.current !== undefined) {
      this.reference(this.current.connection);
      this.current.connection.send(call);
    } else if (this.dialing !== undefined) {
      this.queue.push(call);
    } else {
      return call.fail(this.lastError ?? new ConnectionError("not connected", { endpoint: this.endpoint }));
    }
    this.deadlines.note(call.expires);
  }

  /** A promise that is rejected when its time is up, when `signal` fires, and when no connection will come any more. */
  pending<T = void>(method: string, expires: number, signal?: AbortSignal): Pending<T> {
    const late = () => expired({ method, nature: "read", sent: this.connected, aborted: false }, this.endpoint, this.lastError);
    const pending = new Pending<T>({ expires, signal, late, aborted: (reason) => aborted({ method }, reason, this.endpoint) });
    if (this.over !== undefined) pending.reject(this.over);
    if (!pending.open) return pending;
    this.pendings.add(pending as Pending<never>);
    pending.onSettled(() => this.pendings.delete(pending as Pending<never>));
    return pending;
  }

  /** Sends a message that needs no answer; it is lost when there is no connection. */
  notify(text: string): void {
    this.current?.connection.notify(text);
  }

  /** The caller gives the call up. A write that was sent gets a moment more, to say what became of it. */
  abort(call: Call, reason: unknown): void {
    if (call.done) return;
    call.aborted = true;
    if (call.sent && call.nature === "write") {
      for (const { connection } of this.links()) connection.cancel(call);
      call.expires = Math.min(call.expires, performance.now() + ABORT_GRACE);
      this.deadlines.note(call.expires);
    } else {
      this.end(call, aborted(call, reason, this.endpoint));
    }
  }

  async close(): Promise<void> {
    const error = new ConnectionError("the client was closed", { endpoint: this.endpoint });
    this.lastError = error;
    this.stop.abort(error);
    this.finish(error);
    this.deadlines.stop();
    await Promise.all([...this.links()].map((link) => link.connection.close(error)));
    await this.dialing;
    for (const call of this.queue.splice(0)) call.fail(error);
    // The event loop closes what was let go of at the end of a turn, after that turn's immediates.
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
  }

  notification(link: Link, method: string, params: readonly unknown[]): void {
    if (link !== this.current) return;
    for (const listener of [...this.listeners]) listener.notification?.(method, params);
  }

  converted(link: Link): void {
    if (link === this.current) for (const listener of [...this.listeners]) listener.schemaChanged?.();
  }

  server(link: Link): void {
    if (link !== this.current) return;
    const { database } = link.server;
    this.tellLeader(link);
    const problem = refuse(database, this.options.database, this.options.leaderOnly ?? true, this.members, link.endpoint.text);
    if (problem !== undefined) this.leave(link, problem);
    else this.members.note(database!);
  }

  idle(link: Link): void {
    if (this.draining.has(link)) void link.connection.close(new ConnectionError("the leader has moved", { endpoint: link.endpoint.text }));
    else if (link === this.current) this.release(link.connection);
  }

  closed(link: Link, error: OvsdbError, calls: Call[]): void {
    this.draining.delete(link);
    if (link === this.current) this.lose(link, error);
    const goesOn = this.current !== undefined || this.dialing !== undefined;
    const again: Call[] = [];
    for (const call of calls) {
      const failure = lost(call, error, goesOn && !this.stop.signal.aborted);
      if (failure === undefined) again.push(call);
      else call.fail(failure);
    }
    this.resend(again);
  }

  private *links(): Iterable<Link> {
    if (this.current !== undefined) yield this.current;
    yield* this.draining;
  }

  private use(link: Link): void {
    this.lastEndpoint = link.endpoint;
    this.lastPeer = link.peer;
    this.dialing = undefined;
    if (link.connection.broken !== undefined) return this.lose(link, link.connection.broken);
    this.current = link;
    this.lastError = undefined;
    this.referenced = true;
    const first = !this.wasConnected;
    this.wasConnected = true;
    this.leading = false;
    const { model, clusterId, serverId } = link.server.database ?? {};
    if (model !== "standalone") this.seen = model === "relay" ? "relay" : "cluster";
    for (const listener of [...this.listeners]) listener.connected?.();
    for (const call of this.queue.splice(0)) if (!call.done) link.connection.send(call);
    this.events.tell("connected", { ...this.where, first, model: model as ConnectedEvent["model"], clusterId, serverId });
    // What the server has said since it was found usable counts, too.
    this.server(link);
    if (!link.connection.busy) this.release(link.connection);
  }

  /** Of a cluster's member: does it say otherwise than before that it is the leader? */
  private tellLeader({ server: { database } }: Link): void {
    const leader = database?.model === "clustered" && database.leader;
    if (leader === this.leading) return;
    this.leading = leader;
    this.events.tell("leader", { ...this.where, leader, serverId: database?.serverId });
  }

  /** The server is there, but not the leader any more: what it still owes it may answer, all else goes to the next. */
  private leave(link: Link, problem: OvsdbError): void {
    this.lose(link, problem);
    this.draining.add(link);
    // A monitor or a lock on a connection that is left is of no use to anybody.
    for (const call of [...link.connection.calls()]) if (call.nature === "session") this.end(call, problem);
    this.resend(link.connection.reclaim());
    if (!link.connection.busy) this.idle(link);
  }

  private lose(link: Link, error: OvsdbError): void {
    const told = this.current === link;
    this.current = undefined;
    this.lastError = error;
    const goesOn = this.options.reconnect !== false && !this.stop.signal.aborted;
    if (goesOn) this.dialing = this.dial(link.endpoint);
    for (const listener of [...this.listeners]) listener.disconnected?.(error);
    if (!goesOn) this.finish(error);
    if (told) this.events.tell("disconnected", { ...this.events.at(link.endpoint), problem: { code: error.code, message: error.message } });
  }

  /** No connection will come any more. */
  private finish(error: OvsdbError): void {
    this.over ??= error;
    for (const pending of [...this.pendings]) pending.reject(this.over);
  }

  private async dial(after: Endpoint): Promise<void> {
    let rounds = 0;
    const link = await this.dialer.again(after, this.stop.signal, (error) => {
      this.lastError = error;
      this.events.tell("unreachable", {
        problem: { code: error.code, message: error.message },
        rounds: ++rounds,
        otherCluster: error instanceof WrongClusterError,
      });
    });
    if (link === undefined) return;
    if (this.stop.signal.aborted) await link.connection.close(this.lastError!);
    else this.use(link);
  }

  private resend(calls: readonly Call[]): void {
    for (const call of calls) call.sent = false;
    if (this.current === undefined) this.queue.unshift(...calls);
    else for (const call of calls) this.current.connection.send(call);
  }

  /** Settles an open call without its reply. */
  private end(call: Call, error: OvsdbError): void {
    for (const { connection } of this.links()) connection.abandon(call);
    call.fail(error);
  }

  private expire(now: number): number {
    let next = Infinity;
    for (const call of [...this.queue, ...[...this.links()].flatMap((link) => [...link.connection.calls()])]) {
      if (call.done) continue;
      if (call.expires <= now) this.end(call, expired(call, this.endpoint, this.lastError));
      else next = Math.min(next, call.expires);
    }
    this.queue = this.queue.filter((call) => !call.done);
    return next;
  }

  private reference(connection: Connection): void {
    if (this.options.unref !== true || this.referenced) return;
    this.referenced = true;
    connection.ref();
  }

  private release(connection: Connection): void {
    if (this.options.unref !== true || !this.referenced) return;
    this.referenced = false;
    connection.unref();
  }
}
