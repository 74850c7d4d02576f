import { isDeepStrictEqual } from "node:util";
import type { Plan } from "../../plan/plan";
import type { Counter } from "../../progress";
import type { Connections } from "@pulumi-ovn/provider/targets";
import { applyPlan, changedZones, type Omission, writeState, zonesOf } from "./build";
import { announcedIn, type Announced, exposuresIn } from "./exposures";
import { readFacts } from "./facts";
import { flowsOf, readSouthbound, type ZoneFlows } from "./flows";
import { hostNetworksIn } from "./host-networks";
import { copyZone } from "./copy";
import { misledGateways } from "./misled";
import { prepare } from "./prepare";
import type { Shadow } from "../shadow/shadow";
import type { Shadows } from "../shadow/shadows";
import { traceableChanges } from "./traceable";
import { readUndecided } from "./undecided";
import { readUnsimulated } from "./unsimulated";
import { portsOf, type ZonePorts } from "./zone-ports";

/** All zones at one time: before or after the plan. */
export interface World extends ZonePorts {
  /** Whether the rows are copies of the live databases, changed by a plan or not. Otherwise they are those of the state. */
  readonly isLive: boolean;
  /** Keys of gateways that workloads may replace by another router; see `misledGateways`. */
  readonly misled: ReadonlySet<string>;
  readonly flows: ReadonlyMap<string, ZoneFlows>;
  /** Announcements of BgpExposures by URN, by zone. */
  readonly exposures: ReadonlyMap<string, ReadonlyMap<string, Announced>>;
  /** Prefixes that are announced from each zone. */
  readonly announced: ReadonlyMap<string, readonly string[]>;
  /** Names of physical networks of which each host has its own. */
  readonly hostNetworks: ReadonlySet<string>;
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
  const all = new Map([...before.zones, ...zones]);
  const exposed = new Map([...before.exposures, ...exposures]);
  return {
    isLive,
    ...portsOf(all, before),
    misled: misledGateways([...all.values()]),
    flows: new Map([...before.flows, ...flows]),
    exposures: exposed,
    announced: announcedIn(plan, "after", exposed),
    hostNetworks: hostNetworksIn(plan, "after"),
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
      const facts = sharing(earlier?.zones.get(zone), { ...rows, undecided });
      const exposures = await exposuresIn(plan, side, shadow, isLive);
      // The rows are not kept longer than this: they take more memory than anything else.
      const { flows, changes } = await readSouthbound(shadow).then((south) => ({
        flows: flowsOf(south, facts, earlier?.flows.get(zone)),
        changes: traceableChanges(south),
      }));
      if (side === "before") await shadow.keep();
      await (await shadow.connections.get(zone, "OVN_Southbound")).transact(changes);
      done();
      return { facts, flows, exposures, omissions };
    }),
  );
  const all = await Promise.all(read);
  const exposures = new Map(all.map((each) => [each.facts.zone, each.exposures]));
  return {
    isLive,
    ...portsOf(new Map(all.map(({ facts }) => [facts.zone, facts]))),
    misled: misledGateways(all.map(({ facts }) => facts)),
    flows: new Map(all.map(({ facts, flows }) => [facts.zone, flows])),
    exposures,
    announced: announcedIn(plan, side, exposures),
    hostNetworks: hostNetworksIn(plan, side),
    omissions: all.flatMap(({ omissions }) => omissions),
  };
}

/** The object with the values of the known one that are equal, so that only one of each takes memory. */
function sharing<T extends object>(known: T | undefined, found: T): T {
  if (known === undefined) return found;
  const names = Object.keys(found) as (keyof T)[];
  return Object.fromEntries(names.map((name) => [name, isDeepStrictEqual(known[name], found[name]) ? known[name] : found[name]])) as T;
}
