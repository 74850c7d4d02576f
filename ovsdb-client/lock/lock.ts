import { ProtocolError } from "../errors";
import { newCall } from "../rpc/call";
import { Listeners } from "../rpc/listeners";
import { rpcError } from "../session/server";
import type { Session, SessionListener } from "../session/session";

export interface LockListener {
  /** The lock is ours. */
  acquired?(): void;
  /** The lock is not ours any more: another client stole it, or the connection is gone. */
  lost?(): void;
}

/** Milliseconds; the connection's end gives a lock back in any case. */
const RELEASE_DEADLINE = 10_000;

/** Whoever cannot be asked for the lock (any more) does not give it: `held` says so. */
const notHeld = () => undefined;

/**
 * A lock on the server (RFC 7047 section 4.1.8). It belongs to one connection: after a reconnect it is asked
 * for again. An `assert` operation makes a transaction depend on it.
 */
export class Lock implements SessionListener {
  private readonly watchers = new Listeners<LockListener>();
  private owned = false;

  /** @internal Use `OvsdbClient.lock` or `steal`. */
  constructor(
    private readonly session: Session,
    readonly name: string,
  ) {}

  /** Is the lock ours, as far as the server has told? */
  get held(): boolean {
    return this.owned;
  }

  subscribe(listener: LockListener): () => void {
    return this.watchers.add(listener);
  }

  /** @internal Resolves when the server has taken the request: then the lock is held, or will be in its turn. */
  async start(method: "lock" | "steal", expires: number): Promise<void> {
    this.session.listeners.add(this);
    try {
      await this.request(method, expires);
    } catch (error) {
      this.session.listeners.delete(this);
      throw error;
    }
  }

  /** Resolves when the lock is held; rejects with the signal's reason. */
  acquired(options: { signal?: AbortSignal | undefined } = {}): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.owned) return resolve();
      const { signal } = options;
      if (signal?.aborted) return reject(signal.reason as Error);
      const stop = () => {
        end();
        reject(signal!.reason as Error);
      };
      const unsubscribe = this.subscribe({
        acquired: () => {
          end();
          resolve();
        },
      });
      const end = () => {
        unsubscribe();
        signal?.removeEventListener("abort", stop);
      };
      signal?.addEventListener("abort", stop, { once: true });
    });
  }

  /** Gives the lock back, or its place in the queue. */
  async release(): Promise<void> {
    if (!this.session.listeners.delete(this)) return;
    this.owned = false;
    if (this.session.connected) await this.ask("unlock", performance.now() + RELEASE_DEADLINE).catch(notHeld);
  }

  connected(): void {
    this.request("lock", Infinity).catch(notHeld);
  }

  disconnected(): void {
    this.set(false);
  }

  notification(method: string, params: readonly unknown[]): void {
    if (params[0] !== this.name) return;
    if (method === "locked") this.set(true);
    else if (method === "stolen") this.set(false);
  }

  private async request(method: "lock" | "steal", expires: number): Promise<void> {
    await this.ask(method, expires, (result) => {
      const { locked } = (result ?? {}) as { locked?: unknown };
      if (typeof locked !== "boolean") throw new ProtocolError(`the result of ${method} does not say whether it is locked`);
      this.set(locked);
    });
  }

  private ask(method: string, expires: number, taken: (result: unknown) => void = () => undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const reply = (result: unknown, error: unknown) => {
        if (error !== undefined) return reject(rpcError(method, error, this.session.endpoint));
        taken(result);
        resolve();
      };
      this.session.send(newCall(method, [this.name], "session", expires, { reply, fail: reject }));
    });
  }

  private set(owned: boolean): void {
    if (owned === this.owned) return;
    this.owned = owned;
    this.watchers.tell((listener) => (owned ? listener.acquired?.() : listener.lost?.()));
  }
}
