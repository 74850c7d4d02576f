import { destinationText } from "./kernel/names";
import type { LiveHost, LiveNeighbor, LiveRoute, LiveWays } from "./live";

/** What is known of the places that were written. */
export interface KnownWays {
  /** By destination. */
  routes(destination: string): readonly LiveRoute[];
  readonly neighbors: readonly LiveNeighbor[];
}

/** Routes and neighbours that were written while the host was looked at. */
export class Meanwhile {
  /** When the first of them was, by performance.now(). */
  since: number | undefined;
  /** By destination. */
  readonly #routes = new Set<string>();
  readonly #neighbors = new Set<string>();

  /** What stays is the same object before and after. */
  written(before: LiveWays, after: LiveWays): void {
    this.since ??= performance.now();
    for (const { destination } of differing(before.routes, after.routes)) this.#routes.add(destinationText(destination));
    for (const neighbor of differing(before.neighbors, after.neighbors)) this.#neighbors.add(placeOf(neighbor));
  }

  /** What the look has found, but for these places, of which it can't say more than is known. */
  merged(live: LiveHost, known: KnownWays): LiveHost {
    if (this.since === undefined) return live;
    const { kernel } = live;
    const routes = [
      ...kernel.routes.filter(({ destination }) => !this.#routes.has(destinationText(destination))),
      ...[...this.#routes].flatMap((destination) => known.routes(destination)),
    ];
    const isWritten = (neighbor: LiveNeighbor) => this.#neighbors.has(placeOf(neighbor));
    const neighbors = [...kernel.neighbors.filter((neighbor) => !isWritten(neighbor)), ...known.neighbors.filter(isWritten)];
    return { ...live, kernel: { ...kernel, routes, neighbors } };
  }
}

const placeOf = ({ device, address }: LiveNeighbor): string => `${device} ${address}`;

/** What is in one of the lists alone. */
function differing<T>(before: readonly T[], after: readonly T[]): T[] {
  const gone = new Set(before);
  const come = after.filter((item) => !gone.delete(item));
  return [...gone, ...come];
}
