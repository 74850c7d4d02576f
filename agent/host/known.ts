import type { HostState, Problem, Route } from "@pulumi-ovn/provider/agent";
import { destinationText } from "./kernel/names";
import { scopeOf } from "./kernel/read";
import type { LiveHost, LiveRoute } from "./live";
import { Meanwhile } from "./meanwhile";
import { plan } from "./plan";
import type { Plan } from "./steps";

/** A plan from the cached state. */
export interface Ahead extends Plan {
  readonly desired: HostState;
  /** Destinations of the routes that it is about; undefined: of all. */
  readonly part: ReadonlySet<string> | undefined;
}

/** A look at the host that is in progress. */
export interface Look {
  /** Frame of the desired state that the scan is for. */
  readonly frame: string;
  /** Event count when the scan started. */
  readonly moment: number;
  readonly meanwhile: Meanwhile;
}

interface Standing {
  /** But for its routes. */
  live: LiveHost;
  /** By destination. */
  readonly routes: Map<string, LiveRoute[]>;
  /** Frame of the state that the scan was for. */
  readonly frame: string;
  /** The host is as this says. */
  desired: HostState;
  /** But for these. */
  problems: readonly Problem[];
}

/**
 * Result of the last full scan of the host. Cleared when an event contradicts it. Route changes are planned from this result, so they
 * need not wait for the next scan, which follows anyway.
 */
export class Known {
  #standing: Standing | undefined;
  /** Whether events of the host are received. */
  #hears = false;
  /** Counts events that invalidate a look that is in progress. */
  #news = 0;
  /** Those in progress. */
  readonly #looks = new Set<Look>();

  /** To be called when a look at the host begins; with the result it may be kept. */
  begin(desired: HostState): Look {
    const look = { frame: frameOf(desired), moment: this.#news, meanwhile: new Meanwhile() };
    this.#looks.add(look);
    return look;
  }

  /** To be called in any case. */
  end(look: Look): void {
    this.#looks.delete(look);
  }

  get stands(): boolean {
    return this.#standing !== undefined;
  }

  /**
   * Keeps a look that has found the host to be as desired. Not without FRR's instance: it may come with other sessions.
   *
   * @param problems that the look has found
   */
  keep(desired: HostState, live: LiveHost, { moment }: Look, problems: readonly Problem[]): void {
    // The earlier cached state may differ from the result of this scan.
    this.#standing = undefined;
    if (!this.#hears || moment !== this.#news || live.problems.length > 0 || !live.frr.running || live.frr.bgp === null) return;
    this.#standing = { live, routes: new Map(), frame: frameOf(desired), desired, problems };
    put(this.#standing.routes, live.kernel.routes);
  }

  /**
   * Compares the cache with a scan during which routes and neighbours were written. The scan may contain the old values of these;
   * everything else must match. False if something differs and another scan is needed. Undefined if the scan is out of date.
   */
  confirms(look: Look, live: LiveHost): boolean | undefined {
    const { frame, moment, meanwhile } = look;
    const standing = this.#standing;
    if (standing === undefined || moment !== this.#news || frame !== standing.frame) return undefined;
    const { desired, problems: before } = standing;
    const merged = meanwhile.merged(live, { routes: (destination) => standing.routes.get(destination) ?? [], neighbors: standing.live.kernel.neighbors });
    const { steps, problems } = plan(desired, merged);
    if (steps.length > 0 || JSON.stringify(problems) !== JSON.stringify(before)) return false;
    this.#standing = undefined;
    this.keep(desired, merged, look, problems);
    return true;
  }

  forget(): void {
    this.#standing = undefined;
    this.#news++;
  }

  /** Records that events are received from now on. */
  hears(): void {
    // The result of a scan in progress may have changed without an event.
    if (!this.#hears) this.forget();
    this.#hears = true;
  }

  deaf(): void {
    this.#hears = false;
    this.forget();
  }

  /** The plan for a state in which only routes and neighbours differ. Undefined if the host must be scanned first. */
  plan(desired: HostState): Ahead | undefined {
    const standing = this.#standing;
    if (standing === undefined || standing.frame !== frameOf(desired)) return undefined;
    const planned = partly(standing, desired) ?? wholly(standing, desired);
    return planned.after && planned.steps.every(({ kind }) => kind === "ip") ? planned : undefined;
  }

  /** The steps of a plan were taken, all of them. */
  taken({ after, desired, part, problems }: Ahead): void {
    const standing = this.#standing;
    if (!standing || !after) return;
    if (this.#looks.size > 0) {
      const before = {
        routes: [...(part ?? standing.routes.keys())].flatMap((destination) => standing.routes.get(destination) ?? []),
        neighbors: standing.live.kernel.neighbors,
      };
      for (const { meanwhile } of this.#looks) meanwhile.written(before, after);
    }
    for (const destination of part ?? [...standing.routes.keys()]) standing.routes.delete(destination);
    put(standing.routes, after.routes);
    standing.live = { ...standing.live, kernel: { ...standing.live.kernel, neighbors: after.neighbors } };
    standing.desired = desired;
    standing.problems = problems;
  }
}

const planned = ({ live }: Standing, desired: HostState, routes: readonly LiveRoute[]): Plan => plan(desired, { ...live, kernel: { ...live.kernel, routes } });

/** By the routes that differ from those that are there. undefined: some problem is in all of them, or may be. */
function partly(standing: Standing, desired: HostState): Ahead | undefined {
  if (standing.problems.length > 0) return undefined;
  const part = differing(standing.desired.routes, desired.routes);
  const routes = part.size === 0 ? [] : desired.routes.filter(({ destination }) => part.has(destinationText(destination)));
  const found = planned(
    standing,
    { ...desired, routes },
    [...part].flatMap((destination) => standing.routes.get(destination) ?? []),
  );
  return found.problems.length === 0 ? { ...found, desired, part } : undefined;
}

const wholly = (standing: Standing, desired: HostState): Ahead => ({
  ...planned(standing, desired, [...standing.routes.values()].flat()),
  desired,
  part: undefined,
});

/** Destinations of routes that are in only one of the lists. Most unchanged routes are the same objects in the same order. */
function differing(before: readonly Route[], now: readonly Route[]): Set<string> {
  let [from, oldEnd, newEnd] = [0, before.length, now.length];
  while (from < oldEnd && from < newEnd && before[from] === now[from]) from++;
  for (; oldEnd > from && newEnd > from && before[oldEnd - 1] === now[newEnd - 1]; oldEnd--) newEnd--;
  const gone = new Set(before.slice(from, oldEnd));
  const other = now.slice(from, newEnd).filter((route) => !gone.delete(route));
  return new Set([...other, ...gone].map(({ destination }) => destinationText(destination)));
}

function put(places: Map<string, LiveRoute[]>, routes: readonly LiveRoute[]): void {
  for (const route of routes) {
    const destination = destinationText(route.destination);
    const here = places.get(destination);
    if (here) here.push(route);
    else places.set(destination, [route]);
  }
}

/** The parts of a state that only a scan can check. The kernel reports changes of routes and permanent neighbours by events. */
function frameOf(desired: HostState): string {
  const { routes: _routes, neighbors: _neighbors, ...frame } = desired;
  return JSON.stringify([frame, scopeOf(desired, false)]);
}
