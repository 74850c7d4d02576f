import type { HostState } from "../desired/host-state";
import { scopeOf } from "./kernel/read";
import type { LiveHost } from "./live";
import { plan } from "./plan";
import type { Plan } from "./steps";

/**
 * What the last whole look at the host has found, for as long as nothing is heard that it does not say already. From it follows
 * what other routes take, so that they need not wait for the next look, which comes all the same.
 */
export class Known {
  #live: LiveHost | undefined;
  /** Of the state that the look was for. */
  #frame = "";
  /** Whether changes of the host are heard. */
  #hears = false;
  /** Counts events that invalidate a look that is in progress. */
  #news = 0;

  /** To be called when a look at the host begins; with the result it may be kept. */
  get moment(): number {
    return this.#news;
  }

  get stands(): boolean {
    return this.#live !== undefined;
  }

  /**
   * Not without FRR's instance: it may come with other sessions.
   *
   * @param moment when the look began
   */
  keep(desired: HostState, live: LiveHost, moment: number): void {
    if (!this.#hears || moment !== this.#news || live.problems.length > 0 || !live.frr.running || live.frr.bgp === null) return;
    this.#live = live;
    this.#frame = frameOf(desired);
  }

  forget(): void {
    this.#live = undefined;
    this.#news++;
  }

  /** From now on changes are heard. */
  hears(): void {
    // What a look in progress has found may have changed unheard.
    if (!this.#hears) this.forget();
    this.#hears = true;
  }

  deaf(): void {
    this.#hears = false;
    this.forget();
  }

  /** What a state takes that has other routes and neighbours alone; undefined: the host must be looked at first. */
  plan(desired: HostState): Plan | undefined {
    if (this.#live === undefined || this.#frame !== frameOf(desired)) return undefined;
    const planned = plan(desired, this.#live);
    return planned.after && planned.steps.every(({ kind }) => kind === "ip") ? planned : undefined;
  }

  /** The steps of a plan were taken, all of them. */
  taken({ after }: Plan): void {
    if (this.#live) this.#live = { ...this.#live, kernel: { ...this.#live.kernel, ...after } };
  }
}

/** All of a state but what is heard of: the kernel tells of routes and permanent neighbours, and a look finds those of the state's tables and devices. */
function frameOf(desired: HostState): string {
  const { routes: _routes, neighbors: _neighbors, ...frame } = desired;
  return JSON.stringify([frame, scopeOf(desired, false)]);
}
