import { AbortError, type OvsdbError, ProtocolError, RpcError } from "../errors";
import { newCall } from "../rpc/call";
import { Listeners } from "../rpc/listeners";
import type { Pending } from "../rpc/pending";
import { rpcError } from "../session/server";
import type { Session, SessionListener } from "../session/session";

export interface LockListener {
  /** The lock is ours. */
  acquired?(): void;
  /** The lock was lost: another client stole it, or the connection ended. */
  lost?(): void;
}

/** Milliseconds; the connection's end gives a lock back in any case. */
const RELEASE_DEADLINE = 10_000;

/**
 * A lock on the server (RFC 7047 section 4.1.8). It belongs to one connection: after a reconnect it is asked
 * for again. An `assert` operation makes a transaction depend on it.
 */
export class Lock implements SessionListener {
  private readonly watchers = new Listeners<LockListener>();
  private owned = false;
  /** Until the server has taken the first request. */
  private first: { readonly method: "lock" | "steal"; readonly taken: Pending } | undefined;
  private readonly waiting = new Set<Pending>();
  /** Why it can't be acquired any more. */
  private over: OvsdbError | undefined;

  /** @internal Use `OvsdbClient.lock` or `steal`. */
  constructor(
    private readonly session: Session,
    readonly name: string,
  ) {}

  /** Whether this client holds the lock, according to the last message of the server. */
  get held(): boolean {
    return this.owned;
  }

  subscribe(listener: LockListener): () => void {
    return this.watchers.add(listener);
  }

  /** @internal Resolves when the server has taken the request: then the lock is held, or will be in its turn. */
  async start(method: "lock" | "steal", expires: number, signal: AbortSignal | undefined): Promise<void> {
    const { endpoint, listeners } = this.session;
    // The server refuses it as well, but what is done when the time is up would release the other one.
    if ([...listeners].some((other) => other instanceof Lock && other.name === this.name)) {
      throw new RpcError(method, "already locked", `this client has asked for the lock ${JSON.stringify(this.name)} before, and has not released it`, {
        endpoint,
      });
    }
    const taken = this.session.pending(method, expires, signal);
    if (!taken.open) return taken.promise;
    this.first = { method, taken };
    taken.onSettled(() => (this.first = undefined));
    listeners.add(this);
    if (this.session.connected) this.request();
    try {
      await taken.promise;
    } catch (error) {
      // The server may grant the lock later, so it is released.
      void this.give(error as OvsdbError);
      throw error;
    }
  }

  /**
   * Resolves when the lock is held. Rejects with an AbortError when `signal` fires or the lock is released, and
   * with a ConnectionError when no connection will come any more.
   */
  async acquired(options: { signal?: AbortSignal | undefined } = {}): Promise<void> {
    if (this.over !== undefined) throw this.over;
    if (this.owned) return;
    const pending = this.session.pending(`the wait for the lock ${JSON.stringify(this.name)}`, Infinity, options.signal);
    this.waiting.add(pending);
    pending.onSettled(() => this.waiting.delete(pending));
    await pending.promise;
  }

  /** Gives the lock back, or its position in the queue. */
  async release(): Promise<void> {
    await this.give(new AbortError(`the lock ${JSON.stringify(this.name)} was released`, { endpoint: this.session.endpoint }));
  }

  connected(): void {
    this.request();
  }

  disconnected(): void {
    this.set(false);
  }

  notification(method: string, params: readonly unknown[]): void {
    if (params[0] !== this.name) return;
    if (method === "locked") this.set(true);
    else if (method === "stolen") this.set(false);
  }

  private request(): void {
    const { method = "lock", taken } = this.first ?? {};
    const reply = (result: unknown, error: unknown) => {
      if (this.over !== undefined) return;
      if (error !== undefined) return taken?.reject(rpcError(method, error, this.session.endpoint));
      const { locked } = (result ?? {}) as { locked?: unknown };
      if (typeof locked !== "boolean") throw new ProtocolError(`the result of ${method} does not say whether it is locked`);
      this.set(locked);
      taken?.resolve();
    };
    // After a lost connection the next one asks again.
    const fail = (error: OvsdbError) => {
      if (error instanceof ProtocolError) taken?.reject(error);
    };
    this.session.send(newCall(method, [this.name], "session", Infinity, { reply, fail }));
  }

  private async give(why: OvsdbError): Promise<void> {
    if (!this.session.listeners.delete(this)) return;
    this.over = why;
    this.owned = false;
    for (const pending of [...this.waiting]) pending.reject(why);
    if (!this.session.connected) return;
    const expires = performance.now() + RELEASE_DEADLINE;
    await new Promise<void>((resolve) => {
      this.session.send(newCall("unlock", [this.name], "session", expires, { reply: () => resolve(), fail: () => resolve() }));
    });
  }

  private set(owned: boolean): void {
    if (owned === this.owned) return;
    this.owned = owned;
    if (owned) for (const pending of [...this.waiting]) pending.resolve();
    this.watchers.tell((listener) => (owned ? listener.acquired?.() : listener.lost?.()));
  }
}
