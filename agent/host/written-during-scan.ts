import { destinationText } from "./kernel/names";
import type { LiveHost, LiveNeighbor, LiveRoute, LiveWays } from "./live";

/** Cached routes and neighbours at the written destinations. */
export interface CachedWays {
  /** Entries by destination. */
  routes(destination: string): readonly LiveRoute[];
  readonly neighbors: readonly LiveNeighbor[];
}

/** Routes and neighbours that were written during a scan of the host. */
export class WrittenDuringScan {
  /** When the first of them was, by performance.now(). */
  since: number | undefined;
  /** Entries by destination. */
  readonly #routes = new Set<string>();
  readonly #neighbors = new Set<string>();

  /** Records changed entries. An unchanged entry is the same object before and after. */
  written(before: LiveWays, after: LiveWays): void {
    this.since ??= performance.now();
    for (const { destination } of differing(before.routes, after.routes)) this.#routes.add(destinationText(destination));
    for (const neighbor of differing(before.neighbors, after.neighbors)) this.#neighbors.add(placeOf(neighbor));
  }

  /** Result of the scan, except for these destinations: for these the cached values are more recent. */
  merged(live: LiveHost, known: CachedWays): LiveHost {
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

/** Entries that are in only one of the lists. */
function differing<T>(before: readonly T[], after: readonly T[]): T[] {
  const removed = new Set(before);
  const come = after.filter((item) => !removed.delete(item));
  return [...removed, ...come];
}
