import type { HostState, Problem, Route } from "@pulumi-ovn/provider/agent";
import { destinationText, familyOf, PROTOCOL } from "./kernel/names";
import type { Astray, LiveFrr, LiveRoute } from "./live";
import type { IpStep } from "./steps";

export const NOT_ASTRAY: Astray = { stale: [], missing: [] };

/** Milliseconds that FRR may take: for what the kernel reports to it, and for a change of the route-map (5 s by default). */
const SETTLES = { stale: 3_000, missing: 10_000 } as const;

/** Pure. Differences between the routes that FRR originates and the kernel's table with the desired routes. */
export function astrayOf(desired: Pick<HostState, "bgp" | "routes">, kernel: readonly LiveRoute[], frr: LiveFrr): Astray {
  if (desired.bgp === null || !frr.running || frr.zebra) return NOT_ASTRAY;
  const { table } = desired.bgp;
  const wanted = new Set(desired.routes.map(({ destination }) => destinationText(destination)));
  const present = new Set(kernel.filter((route) => route.table === table).map(({ destination }) => destinationText(destination)));
  const all = Object.values(frr.origins ?? {});
  const complete = ([4, 6] as const).filter((family) => frr.origins?.[family]?.filtered === false);
  const originated = new Set(all.flatMap(({ prefixes }) => prefixes));
  return {
    stale: [...originated].filter((prefix) => !wanted.has(prefix) && !present.has(prefix)),
    missing: [...wanted].filter((prefix) => complete.includes(familyOf(prefix)) && present.has(prefix) && !originated.has(prefix)),
  };
}

/** Prefixes whose announcement has been wrong for longer than FRR needs to change it. */
export class Settled {
  #since = new Map<string, number>();
  #waits = false;

  /** Something has been astray, and not for long enough. */
  get waits(): boolean {
    return this.#waits;
  }

  of({ stale, missing }: Astray, now: number): Astray {
    const keys = (kind: keyof Astray, list: readonly string[]) => list.map((prefix) => `${kind} ${prefix}`);
    const all = [...keys("stale", stale), ...keys("missing", missing)];
    this.#since = new Map(all.map((key) => [key, this.#since.get(key) ?? now]));
    const isSettled = (kind: keyof Astray) => (prefix: string) => now - this.#since.get(`${kind} ${prefix}`)! >= SETTLES[kind];
    const settled = { stale: stale.filter(isSettled("stale")), missing: missing.filter(isSettled("missing")) };
    this.#waits = settled.stale.length + settled.missing.length < all.length;
    return settled;
  }
}

/**
 * Pure. FRR is not notified of routes that the kernel removes with an address or a device, nor of any while zebra is down. A route
 * that is added and deleted makes it forget the old one. It is a blackhole, so that no packet takes it meanwhile.
 */
export function planAstray(
  { bgp, routes }: Pick<HostState, "bgp" | "routes">,
  kernel: readonly Route[],
  astray: Astray,
): { readonly made: readonly IpStep[]; readonly problems: readonly Problem[] } {
  if (bgp === null || astray.stale.length + astray.missing.length === 0) return { made: [], problems: [] };
  const taken = new Set([...routes, ...kernel.filter(({ table }) => table === bgp.table)].map(({ destination }) => destinationText(destination)));
  const wanted = new Set(routes.map(({ destination }) => destinationText(destination)));
  const stale = astray.stale.filter((prefix) => !taken.has(prefix));
  const missing = astray.missing.filter((prefix) => wanted.has(prefix));
  const step = (verb: string, prefix: string): IpStep => ({
    kind: "ip",
    family: familyOf(prefix),
    line: `route ${verb} blackhole ${prefix} table ${bgp.table} protocol ${PROTOCOL}`,
    subject: `route ${prefix} of table ${bgp.table}`,
  });
  return {
    made: stale.flatMap((prefix) => [step("add", prefix), step("del", prefix)]),
    problems: [
      ...named("OVN_AGENT_STALE", stale, (which) => `FRR still announces ${which}, which nothing here wants: the agent makes FRR withdraw it, again and again`),
      ...named(
        "OVN_AGENT_NOT_ORIGINATED",
        missing,
        (which) =>
          `FRR does not announce ${which} of table ${bgp.table}: bgpd may not be connected to zebra, which takes it up to a minute after a restart of zebra`,
      ),
    ],
  };
}

function named(code: string, prefixes: readonly string[], message: (which: string) => string): Problem[] {
  const [first] = prefixes;
  if (first === undefined) return [];
  return [{ code, subject: first, message: message(prefixes.length === 1 ? first : `${first} and ${prefixes.length - 1} more`) }];
}
