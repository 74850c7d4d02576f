import { isDeepStrictEqual } from "node:util";
import type { Plan } from "../plan/plan";
import type { Counter } from "../progress";
import type { Connections } from "@pulumi-ovn/provider/targets";
import { applyPlan, changedZones, type Omission, writeState, zonesOf } from "./build";
import { announcedIn, type Announced, exposuresIn } from "./exposures";
import { type Port, readFacts, type ZoneFacts } from "./facts";
import { readFlows, type ZoneFlows } from "./flows";
import { copyZone } from "./live/copy";
import { prepare } from "./prepare";
import type { Shadow } from "./shadow";
import type { Shadows } from "./shadows";
import { makeTraceable } from "./traceable";
import { readUndecided } from "./undecided";
import { readUnsimulated } from "./unsimulated";

/** All zones at one time: before or after the plan. */
export interface World {
  /** Whether the rows are copies of the live databases, changed by a plan or not. Otherwise they are those of the state. */
  readonly isLive: boolean;
  readonly zones: ReadonlyMap<string, ZoneFacts>;
  /** Zones by the names of their workloads. */
  readonly workloads: ReadonlyMap<string, string>;
  /** Zones that have a port itself, not only its remote twin, by the tunnel keys that identify the port in all zones. */
  readonly homes: ReadonlyMap<string, readonly string[]>;
  readonly flows: ReadonlyMap<string, ZoneFlows>;
  /** Announcements of BgpExposures by URN, by zone. */
  readonly exposures: ReadonlyMap<string, ReadonlyMap<string, Announced>>;
  /** Prefixes that are announced from each zone. */
  readonly announced: ReadonlyMap<string, readonly string[]>;
  readonly omissions: readonly Omission[];
}

/**
 * The rows before the plan.
 * @param live targets with the databases to copy. Default: the rows of the state.
 */
export function worldBefore(plan: Plan, shadows: Shadows, count: Counter, live?: Connections): Promise<World> {
  const isLive = live !== undefined;
  return worldOf(zonesOf(plan), { plan, side: "before", shadows, count, isLive }, (shadow) => (isLive ? copyZone(shadow, live) : writeState(plan, shadow)));
}

/** The rows after the plan, on copies of the shadows of the changed zones. */
export async function worldAfter(plan: Plan, copies: Shadows, before: World, count: Counter): Promise<World> {
  const { isLive } = before;
  const { zones, flows, exposures, omissions } = await worldOf(
    changedZones(plan),
    { plan, side: "after", shadows: copies, count, isLive, earlier: before },
    (shadow) => applyPlan(plan, shadow, isLive),
  );
  const exposed = new Map([...before.exposures, ...exposures]);
  return {
    isLive,
    ...placesIn(new Map([...before.zones, ...zones])),
    flows: new Map([...before.flows, ...flows]),
    exposures: exposed,
    announced: announcedIn(plan, "after", exposed),
    omissions,
  };
}

interface Surroundings {
  readonly plan: Plan;
  readonly side: "before" | "after";
  readonly isLive: boolean;
  readonly shadows: Shadows;
  readonly count: Counter;
  /** Zones that may not have changed since, or only in part. */
  readonly earlier?: World;
}

async function worldOf(
  names: readonly string[],
  { plan, side, isLive, shadows, count, earlier }: Surroundings,
  build: (shadow: Shadow) => Promise<Omission[]>,
): Promise<World> {
  const done = count(names.length);
  const read = names.map((zone) =>
    shadows.in(zone, async (shadow) => {
      const omissions = await build(shadow);
      await prepare(shadow, isLive);
      const rows = await readFacts(shadow);
      const undecided = [...(isLive ? [] : await readUndecided(shadow, rows.learning)), ...(await readUnsimulated(shadow, rows))];
      const facts = sameAs(earlier?.zones.get(zone), { ...rows, undecided });
      const read = {
        facts,
        flows: await readFlows(shadow, facts, earlier?.flows.get(zone)),
        exposures: await exposuresIn(plan, side, shadow, isLive),
        omissions,
      };
      if (side === "before") await shadow.keep();
      await makeTraceable(shadow);
      done();
      return read;
    }),
  );
  const all = await Promise.all(read);
  const exposures = new Map(all.map((each) => [each.facts.zone, each.exposures]));
  return {
    isLive,
    ...placesIn(new Map(all.map(({ facts }) => [facts.zone, facts]))),
    flows: new Map(all.map(({ facts, flows }) => [facts.zone, flows])),
    exposures,
    announced: announcedIn(plan, side, exposures),
    omissions: all.flatMap(({ omissions }) => omissions),
  };
}

/** The known object if the other one is equal, so that only one of them takes memory. */
function sameAs<T>(known: T | undefined, found: T): T {
  return isDeepStrictEqual(known, found) ? known! : found;
}

function placesIn(zones: ReadonlyMap<string, ZoneFacts>): Pick<World, "zones" | "workloads" | "homes"> {
  const all = [...zones.values()];
  const workloads = all.flatMap(({ zone, workloads: own }) => own.map(({ name }) => [name, zone] as const));
  const keys = all.flatMap(({ zone, ports }) => [...ports.values()].flatMap(({ key, type }) => (type === "remote" ? [] : [{ key, zone }])));
  const homes = Map.groupBy(keys, ({ key }) => key);
  return {
    zones,
    // The first zone of a workload in several.
    workloads: new Map(workloads.toReversed()),
    homes: new Map([...homes].map(([key, own]) => [key, own.map(({ zone }) => zone)])),
  };
}

/** Zones that have a port itself, by its tunnel keys. */
export function homesOf({ zones, homes }: World, key: string): { readonly facts: ZoneFacts; readonly port: Port }[] {
  return (homes.get(key) ?? []).map((zone) => {
    const facts = zones.get(zone)!;
    return { facts, port: facts.ports.get(facts.keys.get(key)!)! };
  });
}
