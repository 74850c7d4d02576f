import { setTimeout as sleep } from "node:timers/promises";
import { AbortError, ConnectionError, NotLeaderError, OvsdbError, WrongClusterError } from "../errors";
import type { Endpoint } from "../transport/endpoint";
import { Backoff, type BackoffOptions } from "./backoff";
import { establish, type EstablishOptions } from "./establish";
import type { Link, LinkEvents } from "./link";

/** Milliseconds between rounds at most while servers answer and only the leader is missing: an election is short. */
const ELECTION_DELAY = 250;

/** Finds an endpoint where the database can be used: tries them in turn, in rounds. */
export class Dialer {
  private readonly backoff: Backoff;

  /** `listed`: in the caller's order, which errors keep; `endpoints`: in the order in which they are tried. */
  constructor(
    private readonly listed: readonly Endpoint[],
    private readonly endpoints: readonly Endpoint[],
    private readonly options: EstablishOptions,
    private readonly timeout: number,
    backoff: BackoffOptions,
    private readonly events: LinkEvents,
  ) {
    this.backoff = new Backoff(backoff);
  }

  /** Connects for the first time. Fails immediately if no endpoint answers; waits if a cluster only lacks a leader. */
  async first(signal: AbortSignal): Promise<Link> {
    const end = performance.now() + this.timeout;
    // The last round may be cut short, so the result of the one before is more precise.
    let election: OvsdbError | undefined;
    for (;;) {
      const found = await this.round(0, signal, end);
      if (!Array.isArray(found)) return found;
      const late = signal.aborted || performance.now() >= end;
      if (found.some((error) => error instanceof NotLeaderError)) election = this.summary(found);
      else if (!late || election === undefined) throw this.summary(found);
      if (late) throw election;
      await pause(this.backoff.next(ELECTION_DELAY), signal);
    }
  }

  /** A later connection, starting behind the endpoint that was lost: continues until `signal` fires. */
  async again(lost: Endpoint, signal: AbortSignal, failed: (error: OvsdbError) => void): Promise<Link | undefined> {
    // A server that breaks each connection soon after it was made must not be called in a tight loop.
    await pause(this.backoff.again(ELECTION_DELAY), signal);
    while (!signal.aborted) {
      const found = await this.round(this.endpoints.indexOf(lost) + 1, signal, performance.now() + this.timeout);
      if (!Array.isArray(found)) return found;
      if (signal.aborted) return undefined;
      failed(this.summary(found));
      const election = found.some((error) => error instanceof NotLeaderError);
      await pause(this.backoff.next(election ? ELECTION_DELAY : undefined), signal);
    }
    return undefined;
  }

  private async round(start: number, signal: AbortSignal, end: number): Promise<Link | OvsdbError[]> {
    const errors: { position: number; error: OvsdbError }[] = [];
    for (let offset = 0; offset < this.endpoints.length && !signal.aborted; offset++) {
      // One that swallows packets must not use up the time of those behind it.
      const share = Math.max(end - performance.now(), 0) / (this.endpoints.length - offset);
      const endpoint = this.endpoints[(start + offset) % this.endpoints.length]!;
      try {
        const link = await this.attempt(endpoint, share, signal);
        this.backoff.start();
        return link;
      } catch (error) {
        errors.push({ position: this.listed.indexOf(endpoint), error: error as OvsdbError });
      }
    }
    return errors.sort((a, b) => a.position - b.position).map(({ error }) => error);
  }

  private async attempt(endpoint: Endpoint, timeout: number, signal: AbortSignal): Promise<Link> {
    const own = new AbortController();
    // A destroyed socket may report no error, and a program may give any reason, or null.
    const stop = () => own.abort(new AbortError("connect was aborted", { cause: signal.reason }));
    const timer = setTimeout(() => own.abort(new ConnectionError(`no answer within ${Math.round(timeout)} ms`)), timeout);
    signal.addEventListener("abort", stop, { once: true });
    try {
      return await establish(endpoint, this.options, this.events, own.signal);
    } finally {
      clearTimeout(timer);
      signal.removeEventListener("abort", stop);
    }
  }

  /** One endpoint's error as it is; of several, a list that names each. */
  private summary(errors: readonly OvsdbError[]): OvsdbError {
    if (errors.length === 0) return new ConnectionError("no time to connect", { endpoint: this.listed.map(({ text }) => text).join(",") });
    if (errors.length === 1) return errors[0]!;
    const kind = [NotLeaderError, WrongClusterError].find((type) => errors.every((error) => error instanceof type)) ?? ConnectionError;
    return new kind(errors.map((error) => error.message).join("; "), { cause: errors[0] });
  }
}

/** In random order (Fisher and Yates), without changing the list. */
export function shuffled<T>(list: readonly T[], random: () => number = Math.random): T[] {
  const result = [...list];
  for (let last = result.length - 1; last > 0; last--) {
    const chosen = Math.floor(random() * (last + 1));
    [result[last], result[chosen]] = [result[chosen]!, result[last]!];
  }
  return result;
}

async function pause(delay: number, signal: AbortSignal): Promise<void> {
  if (delay > 0) await sleep(delay, undefined, { signal }).catch(() => undefined);
}
