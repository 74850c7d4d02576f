import type { BridgeFlowList, HostState, Problem, Route } from "@pulumi-ovn/provider/agent";
import { destinationText } from "./kernel/names";
import { scopeOf } from "./kernel/read";
import type { LiveFlows, LiveHost, LiveRoute } from "./live";
import { WrittenDuringScan } from "./written-during-scan";
import { plan } from "./plan";
import type { Plan } from "./steps";

/** A plan from the cached state. */
export interface CachedPlan extends Plan {
  readonly desired: HostState;
  /** Destinations of the routes that it is about; undefined: of all. */
  readonly part: ReadonlySet<string> | undefined;
}

/** A scan of the host that is in progress. */
export interface Scan {
  /** Frame of the desired state that the scan is for. */
  readonly frame: string;
  /** Event count when the scan started. */
  readonly eventCount: number;
  readonly written: WrittenDuringScan;
}

interface CachedScan {
  /** Live state without its routes. */
  live: LiveHost;
  /** Entries by destination. */
  readonly routes: Map<string, LiveRoute[]>;
  /** Frame of the desired state. */
  frame: string;
  /** Desired state that the host matches, except for `problems`. */
  desired: HostState;
  /** Differences that remain. */
  problems: readonly Problem[];
}

/**
 * Result of the last full scan of the host. Cleared when an event contradicts it. Route changes are planned from this result, so they
 * need not wait for the next scan, which follows anyway. Flow changes need only a scan of their bridges.
 */
export class ScanCache {
  #cached: CachedScan | undefined;
  /** Whether events of the host are received. */
  #hasEvents = false;
  /** Counts events that invalidate a scan in progress. */
  #eventCount = 0;
  /** Scans in progress. */
  readonly #scans = new Set<Scan>();

  /** Begins a scan. Its result may be kept. */
  begin(desired: HostState): Scan {
    const scan = { frame: frameOf(desired), eventCount: this.#eventCount, written: new WrittenDuringScan() };
    this.#scans.add(scan);
    return scan;
  }

  /** Ends a scan, also a failed one. */
  end(scan: Scan): void {
    this.#scans.delete(scan);
  }

  get hasScan(): boolean {
    return this.#cached !== undefined;
  }

  /**
   * Keeps a scan that has found the host to be as desired. Not without FRR's instance: it may come with other sessions.
   *
   * @param problems that the scan has found
   */
  keep(desired: HostState, live: LiveHost, { eventCount }: Scan, problems: readonly Problem[]): void {
    // The earlier cached state may differ from the result of this scan.
    this.#cached = undefined;
    if (!this.#hasEvents || eventCount !== this.#eventCount || live.problems.length > 0 || !live.frr.running || live.frr.bgp === null) return;
    this.#cached = { live, routes: new Map(), frame: frameOf(desired), desired, problems };
    put(this.#cached.routes, live.kernel.routes);
  }

  /**
   * Compares the cache with a scan during which routes, neighbours and proxies were written. The scan may contain their old values;
   * everything else must match. False if something differs and another scan is needed. Undefined if the scan is out of date.
   */
  confirms(scan: Scan, live: LiveHost): boolean | undefined {
    const { frame, eventCount, written } = scan;
    const cached = this.#cached;
    if (cached === undefined || eventCount !== this.#eventCount || frame !== cached.frame) return undefined;
    const { desired, problems: before } = cached;
    const merged = written.merged(live, {
      routes: (destination) => cached.routes.get(destination) ?? [],
      neighbors: cached.live.kernel.neighbors,
      proxies: cached.live.kernel.proxies,
    });
    const { steps, problems } = plan(desired, merged);
    if (steps.length > 0 || JSON.stringify(problems) !== JSON.stringify(before)) return false;
    this.#cached = undefined;
    this.keep(desired, merged, scan, problems);
    return true;
  }

  forget(): void {
    this.#cached = undefined;
    this.#eventCount++;
  }

  /** Records that events are received from now on. */
  eventsStarted(): void {
    // The result of a scan in progress may have changed without an event.
    if (!this.#hasEvents) this.forget();
    this.#hasEvents = true;
  }

  eventsLost(): void {
    this.#hasEvents = false;
    this.forget();
  }

  /** Desired flows of the bridges that must be scanned before `plan`. Undefined if the whole host must be scanned. */
  flowsToScan(desired: HostState): readonly BridgeFlowList[] | undefined {
    const cached = this.#cached;
    if (cached === undefined || cached.frame !== frameOf({ ...desired, flows: cached.desired.flows })) return undefined;
    return changedFlows(cached.desired.flows, desired.flows);
  }

  /**
   * The plan for a state in which only routes, neighbours and proxies differ, and flows of scanned bridges. Undefined if the host must be
   * scanned first.
   *
   * @param scanned results for the bridges of `flowsToScan`
   */
  plan(desired: HostState, scanned: Readonly<Record<string, LiveFlows>> = {}): CachedPlan | undefined {
    const cached = this.#cached;
    const toScan = this.flowsToScan(desired);
    if (!cached || !toScan?.every(({ bridge }) => isWritable(scanned[bridge]))) return undefined;
    const merged = { ...cached, live: { ...cached.live, flows: { ...cached.live.flows, ...scanned } } };
    const planned = partly(merged, desired) ?? wholly(merged, desired);
    return planned.after && planned.steps.every(({ kind }) => kind === "ip" || kind === "flows") ? planned : undefined;
  }

  /** The switch's bridges in the last scan. */
  get bridges(): readonly string[] {
    return this.#cached?.live.ports?.bridges ?? [];
  }

  /** The plan that only removes the routes that a desired state no longer has. Undefined if the host must be scanned first. */
  withdrawals(desired: HostState): CachedPlan | undefined {
    if (this.#cached === undefined) return undefined;
    const before = this.#cached.desired;
    const keys = new Set(desired.routes.map(routeKey));
    return this.plan({ ...before, routes: before.routes.filter((route) => keys.has(routeKey(route))) });
  }

  /** Records that all steps of a plan were taken. */
  applied({ after, desired, part, problems }: CachedPlan): void {
    const cached = this.#cached;
    if (!cached || !after) return;
    if (this.#scans.size > 0) {
      const before = {
        routes: [...(part ?? cached.routes.keys())].flatMap((destination) => cached.routes.get(destination) ?? []),
        neighbors: cached.live.kernel.neighbors,
        proxies: cached.live.kernel.proxies,
      };
      for (const { written } of this.#scans) written.written(before, after);
    }
    for (const destination of part ?? [...cached.routes.keys()]) cached.routes.delete(destination);
    put(cached.routes, after.routes);
    const { live } = cached;
    const changed = changedFlows(cached.desired.flows, desired.flows);
    const flows = Object.fromEntries(changed.map(({ bridge }) => [bridge, AS_DESIRED]));
    cached.live = { ...live, flows: { ...live.flows, ...flows }, kernel: { ...live.kernel, neighbors: after.neighbors, proxies: after.proxies } };
    if (changed.length > 0) cached.frame = frameOf(desired);
    cached.desired = desired;
    cached.problems = problems;
  }
}

const AS_DESIRED: LiveFlows = { difference: { wanted: [], surplus: [] } };

/** Whether the bridge was read, and all its differing flows can be written. */
const isWritable = (live: LiveFlows | undefined): boolean =>
  live !== undefined && "difference" in live && live.difference.wanted.every(({ foreign }) => foreign === undefined);

/** Lists that are in only one of the states or differ, as the second has them. */
function changedFlows(before: HostState["flows"], now: HostState["flows"]): BridgeFlowList[] {
  const flowsOf = (lists: HostState["flows"], name: string) => lists.find(({ bridge }) => bridge === name)?.flows ?? [];
  return [...new Set([...before, ...now].map(({ bridge }) => bridge))]
    .filter((bridge) => flowsOf(before, bridge).join("\n") !== flowsOf(now, bridge).join("\n"))
    .map((bridge) => ({ bridge, flows: flowsOf(now, bridge) }));
}

const routeKey = ({ table, destination }: Route): string => `${table} ${destination}`;

const planned = ({ live }: CachedScan, desired: HostState, routes: readonly LiveRoute[]): Plan =>
  plan(desired, { ...live, kernel: { ...live.kernel, routes } });

/** Plan from the differing routes only. Undefined if a problem may concern the other routes. */
function partly(cached: CachedScan, desired: HostState): CachedPlan | undefined {
  if (cached.problems.length > 0) return undefined;
  const part = differing(cached.desired.routes, desired.routes);
  const routes = part.size === 0 ? [] : desired.routes.filter(({ destination }) => part.has(destinationText(destination)));
  const found = planned(
    cached,
    { ...desired, routes },
    [...part].flatMap((destination) => cached.routes.get(destination) ?? []),
  );
  return found.problems.length === 0 ? { ...found, desired, part } : undefined;
}

const wholly = (cached: CachedScan, desired: HostState): CachedPlan => ({
  ...planned(cached, desired, [...cached.routes.values()].flat()),
  desired,
  part: undefined,
});

/** Destinations of routes that are in only one of the lists. Most unchanged routes are the same objects in the same order. */
function differing(before: readonly Route[], now: readonly Route[]): Set<string> {
  let [from, oldEnd, newEnd] = [0, before.length, now.length];
  while (from < oldEnd && from < newEnd && before[from] === now[from]) from++;
  for (; oldEnd > from && newEnd > from && before[oldEnd - 1] === now[newEnd - 1]; oldEnd--) newEnd--;
  const removed = new Set(before.slice(from, oldEnd));
  const other = now.slice(from, newEnd).filter((route) => !removed.delete(route));
  return new Set([...other, ...removed].map(({ destination }) => destinationText(destination)));
}

function put(byDestination: Map<string, LiveRoute[]>, routes: readonly LiveRoute[]): void {
  for (const route of routes) {
    const destination = destinationText(route.destination);
    const here = byDestination.get(destination);
    if (here) here.push(route);
    else byDestination.set(destination, [route]);
  }
}

/**
 * The parts of a state that only a scan can check. The kernel reports changes of routes and permanent neighbours by events. Proxies of
 * other writers serve as well as the agent's.
 */
function frameOf(desired: HostState): string {
  const { routes: _routes, neighbors: _neighbors, proxies: _proxies, ...frame } = desired;
  return JSON.stringify([frame, scopeOf(desired, false)]);
}
