import type { HostState, Problem } from "@pulumi-ovn/provider/agent";
import { destinationText, familyOf, PROTOCOL } from "../kernel/names";
import type { AnnouncementErrors, LiveFrr, LiveRoute } from "../live";
import type { IpStep, Step } from "../steps";

/** Milliseconds that FRR may take: for what the kernel reports to it, and for a change of the route-map (5 s by default). */
const TOLERATED = { stale: 3_000, missing: 10_000 } as const;

/** Milliseconds between two attempts to have FRR withdraw a prefix. bgpd may need a minute to connect to a restarted zebra. */
const RETRY = 2_000;

/** Whether a step adds a route that makes FRR withdraw a prefix. The next round removes the route. */
export const isRetraction = (step: Step): boolean => step.kind === "ip" && step.line.startsWith("route add blackhole ");

/** Whether a route is one that `planAnnouncements` adds. The agent's other routes have a next hop or a device. */
const isBlackhole = ({ own, plain }: LiveRoute): boolean => own && !plain;

/** Pure. Differences between the prefixes that FRR originates and the kernel's table with the desired routes. */
export function compareAnnouncements(
  desired: Pick<HostState, "bgp" | "routes">,
  kernel: readonly LiveRoute[],
  frr: LiveFrr,
): Pick<AnnouncementErrors, "stale" | "missing"> {
  if (desired.bgp === null || !frr.running || frr.zebra) return { stale: [], missing: [] };
  const { table } = desired.bgp;
  const wanted = new Set(desired.routes.map(({ destination }) => destinationText(destination)));
  const present = new Set(kernel.filter((route) => route.table === table && !isBlackhole(route)).map(({ destination }) => destinationText(destination)));
  const all = Object.values(frr.origins ?? {});
  const complete = ([4, 6] as const).filter((family) => frr.origins?.[family]?.filtered === false);
  const originated = new Set(all.flatMap(({ prefixes }) => prefixes));
  return {
    stale: [...originated].filter((prefix) => !wanted.has(prefix) && !present.has(prefix)),
    missing: [...wanted].filter((prefix) => complete.includes(familyOf(prefix)) && present.has(prefix) && !originated.has(prefix)),
  };
}

/** Filters differences: keeps those that have existed for longer than FRR needs to process a change. */
export class LastingErrors {
  /** First sight of each difference, by performance.now(). */
  #since = new Map<string, number>();
  #lastAttempt = -Infinity;
  #hasRecent = false;

  /** Whether the last comparison had a difference that is still tolerated. */
  get hasRecent(): boolean {
    return this.#hasRecent;
  }

  filter({ stale, missing }: Pick<AnnouncementErrors, "stale" | "missing">, now: number): AnnouncementErrors {
    const keys = (kind: "stale" | "missing", list: readonly string[]) => list.map((prefix) => `${kind} ${prefix}`);
    const all = [...keys("stale", stale), ...keys("missing", missing)];
    this.#since = new Map(all.map((key) => [key, this.#since.get(key) ?? now]));
    const isLasting = (kind: "stale" | "missing") => (prefix: string) => now - this.#since.get(`${kind} ${prefix}`)! >= TOLERATED[kind];
    const persistent = { stale: stale.filter(isLasting("stale")), missing: missing.filter(isLasting("missing")) };
    this.#hasRecent = persistent.stale.length + persistent.missing.length < all.length;
    const retry = persistent.stale.length > 0 && now - this.#lastAttempt >= RETRY;
    if (retry) this.#lastAttempt = now;
    return { ...persistent, retry };
  }
}

/**
 * Pure. FRR is not notified of routes that the kernel removes with an address or a device, nor of any while zebra is down. It withdraws
 * a prefix when it sees a route to it appear and disappear. The route is a blackhole, so no packet uses it. The next round removes it
 * like any surplus route: zebra ignores a route that is deleted before zebra has processed it.
 */
export function planAnnouncements(
  { bgp, routes }: Pick<HostState, "bgp" | "routes">,
  kernel: readonly LiveRoute[],
  { stale: originated, missing: absent, retry }: AnnouncementErrors,
): { readonly made: readonly IpStep[]; readonly problems: readonly Problem[] } {
  if (bgp === null || originated.length + absent.length === 0) return { made: [], problems: [] };
  const wanted = new Set(routes.map(({ destination }) => destinationText(destination)));
  const present = kernel.filter(({ table }) => table === bgp.table);
  const destinations = (some: readonly LiveRoute[]) => new Set(some.map(({ destination }) => destinationText(destination)));
  const [all, usable] = [destinations(present), destinations(present.filter((route) => !isBlackhole(route)))];
  const stale = originated.filter((prefix) => !wanted.has(prefix) && !usable.has(prefix));
  const missing = absent.filter((prefix) => wanted.has(prefix));
  return {
    made: (retry ? stale : [])
      .filter((prefix) => !all.has(prefix))
      .map((prefix) => ({
        kind: "ip",
        family: familyOf(prefix),
        line: `route add blackhole ${prefix} table ${bgp.table} protocol ${PROTOCOL}`,
        subject: `route ${prefix} of table ${bgp.table}`,
      })),
    problems: [
      ...problemOf(
        "OVN_AGENT_STALE",
        stale,
        (which) => `FRR still announces ${which}, which is not desired: the agent repeats its attempts to have FRR withdraw it`,
      ),
      ...problemOf(
        "OVN_AGENT_NOT_ORIGINATED",
        missing,
        (which) =>
          `FRR does not announce ${which} of table ${bgp.table}: bgpd may not be connected to zebra, which takes it up to a minute after a restart of zebra`,
      ),
    ],
  };
}

function problemOf(code: string, prefixes: readonly string[], message: (which: string) => string): Problem[] {
  const [first] = prefixes;
  if (first === undefined) return [];
  return [{ code, subject: first, message: message(prefixes.length === 1 ? first : `${first} and ${prefixes.length - 1} more`) }];
}
