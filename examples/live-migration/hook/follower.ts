import { setTimeout as sleep } from "node:timers/promises";
import type { GuestEvent } from "./events.ts";
import { type Place, placeAfter } from "./places.ts";
import type { PortRows } from "./rows.ts";
import type { Outputs, Stack } from "./stack.ts";

/** Milliseconds before an update that failed is tried again; while a zone is away the last one continues. */
const PAUSES: readonly number[] = [1_000, 5_000, 20_000];

export interface Surroundings {
  readonly stack: Pick<Stack, "place">;
  readonly rows: Pick<PortRows, "point" | "away">;
  readonly say: (text: string) => void;
  /** Called when an update has failed for good; may wait for the follower's end. */
  readonly giveUp: () => unknown;
  readonly pauses?: readonly number[];
}

/**
 * Follows guests by their events. Rows are written immediately when a guest runs elsewhere. The stack follows, with one update at a time for all
 * changed guests.
 */
export class Follower {
  readonly #outputs: Outputs;
  readonly #around: Surroundings;
  readonly #places: Map<string, Place>;
  readonly #changed = new Set<string>();
  readonly #ending = new AbortController();
  #pause = new AbortController();
  #work: Promise<void> | undefined;

  constructor(outputs: Outputs, around: Surroundings) {
    this.#outputs = outputs;
    this.#around = around;
    this.#places = new Map(Object.entries(outputs.guests).map(([guest, { node, to }]) => [guest, { node, to }]));
  }

  /** Takes no more events, and resolves when the update in progress has ended: with what the stack does not say then. */
  async end(): Promise<string | undefined> {
    this.#ending.abort();
    await this.#work;
    return this.#changed.size === 0 ? undefined : listed(this.#pending());
  }

  /** Handles an event. Ignores guests and hosts outside the stack. */
  take(event: GuestEvent): void {
    if (this.#ending.signal.aborted) return;
    const before = this.#places.get(event.guest);
    const after = before && Object.hasOwn(this.#outputs.nodes, event.host) ? placeAfter(before, event) : undefined;
    if (!before || !after) return;
    this.#places.set(event.guest, after);
    this.#changed.add(event.guest);
    this.#pause.abort();
    const moved = after.node !== before.node;
    this.#around.say(
      `${event.guest} ${after.to !== after.node ? `is about to come to ${after.to}` : moved ? `runs on ${after.node}` : `stays on ${after.node}`}`,
    );
    const urgent = moved ? this.#point(event.guest, after.node) : Promise.resolve();
    this.#work ??= urgent.then(() => this.#update()).finally(() => (this.#work = undefined));
  }

  async #point(guest: string, node: string): Promise<void> {
    const began = performance.now();
    const failures = await this.#around.rows.point(this.#outputs.guests[guest]!.port, this.#outputs.nodes[node]!);
    this.#around.say(`${guest}: rows point to ${node} after ${Math.round(performance.now() - began)} ms`);
    for (const failure of failures) this.#around.say(`${guest}: not yet, the update will do it: ${failure}`);
  }

  /** Nodes that are not in the stack yet. */
  #pending(): Map<string, Place> {
    return new Map([...this.#changed].map((guest) => [guest, this.#places.get(guest)!]));
  }

  async #update(): Promise<void> {
    const { stack, rows, say, giveUp, pauses = PAUSES } = this.#around;
    const { signal } = this.#ending;
    for (let failed = 0; this.#changed.size > 0 && !signal.aborted; ) {
      const pending = this.#pending();
      this.#changed.clear();
      this.#pause = new AbortController();
      try {
        await stack.place(pending);
        failed = 0;
        say(`in the stack: ${listed(pending)}`);
      } catch (error) {
        for (const guest of pending.keys()) this.#changed.add(guest);
        say((error as Error).message);
        const away = rows.away();
        // Failures next to an unreachable zone do not use up the last attempt: the zone may be back only now.
        const last = away.length > 0 ? pauses.length - 1 : Infinity;
        const pause = pauses[Math.min(failed, last)];
        failed = Math.min(failed + 1, last);
        if (pause === undefined) {
          // Not waited for: it waits for the end, and that for this update.
          giveUp();
          return;
        }
        say(`trying again in ${pause / 1000} s${away.length > 0 ? `, as long as zones are away: ${away.join(", ")}` : ""}`);
        await this.#wait(pause);
      }
    }
  }

  /** Returns early when there is, since the last attempt began, something new to do. */
  async #wait(pause: number): Promise<void> {
    await sleep(pause, undefined, { signal: AbortSignal.any([this.#ending.signal, this.#pause.signal]) }).catch(() => undefined);
  }
}

function listed(places: ReadonlyMap<string, Place>): string {
  return [...places].map(([guest, { node, to }]) => `${guest} on ${node}${node === to ? "" : `, about to come to ${to}`}`).join("; ");
}
