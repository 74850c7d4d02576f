import { destinationText } from "./kernel/names";
import type { LiveHost, LiveNeighbor, LiveProxy, LiveRoute, LiveWays } from "./live";

/** Cached routes, neighbours and proxies at the written destinations. */
export interface CachedWays {
  /** Entries by destination. */
  routes(destination: string): readonly LiveRoute[];
  readonly neighbors: readonly LiveNeighbor[];
  readonly proxies: readonly LiveProxy[];
}

/** Routes, neighbours and proxies that were written during a scan of the host. */
export class WrittenDuringScan {
  /** When the first of them was, by performance.now(). */
  since: number | undefined;
  /** Entries by destination. */
  readonly #routes = new Set<string>();
  readonly #neighbors = new Set<string>();
  readonly #proxies = new Set<string>();

  /** Records changed entries. An unchanged entry is the same object before and after. */
  written(before: LiveWays, after: LiveWays): void {
    this.since ??= performance.now();
    for (const { destination } of differing(before.routes, after.routes)) this.#routes.add(destinationText(destination));
    for (const neighbor of differing(before.neighbors, after.neighbors)) this.#neighbors.add(neighborKey(neighbor));
    for (const proxy of differing(before.proxies, after.proxies)) this.#proxies.add(neighborKey(proxy));
  }

  /** Result of the scan, except for these destinations: for these the cached values are more recent. */
  merged(live: LiveHost, known: CachedWays): LiveHost {
    if (this.since === undefined) return live;
    const { kernel } = live;
    const routes = [
      ...kernel.routes.filter(({ destination }) => !this.#routes.has(destinationText(destination))),
      ...[...this.#routes].flatMap((destination) => known.routes(destination)),
    ];
    const neighbors = merged(kernel.neighbors, known.neighbors, this.#neighbors);
    const proxies = merged(kernel.proxies, known.proxies, this.#proxies);
    return { ...live, kernel: { ...kernel, routes, neighbors, proxies } };
  }
}

/** Scanned entries, and the cached ones with the written keys. */
function merged<Live extends LiveProxy>(scanned: readonly Live[], known: readonly Live[], written: ReadonlySet<string>): Live[] {
  const isWritten = (entry: Live) => written.has(neighborKey(entry));
  return [...scanned.filter((entry) => !isWritten(entry)), ...known.filter(isWritten)];
}

const neighborKey = ({ device, address }: LiveProxy): string => `${device} ${address}`;

/** Entries that are in only one of the lists. */
function differing<T>(before: readonly T[], after: readonly T[]): T[] {
  const removed = new Set(before);
  const come = after.filter((item) => !removed.delete(item));
  return [...removed, ...come];
}
