import type { Plan } from "../plan/plan";
import type { Counter } from "../progress";
import { buildAfter, buildBefore, changedZones, type Omission, zonesOf } from "./build";
import { type Port, readFacts, type ZoneFacts } from "./facts";
import { readFlows, type ZoneFlows } from "./flows";
import type { Shadow } from "./shadow";
import type { Shadows } from "./shadows";
import { makeTraceable } from "./traceable";

/** All zones at one time: before or after the plan. */
export interface World {
  readonly zones: ReadonlyMap<string, ZoneFacts>;
  readonly flows: ReadonlyMap<string, ZoneFlows>;
  readonly omissions: readonly Omission[];
}

/** The rows of the state. */
export function worldBefore(plan: Plan, shadows: Shadows, count: Counter): Promise<World> {
  return worldOf(zonesOf(plan), { shadows, count }, (shadow) => buildBefore(plan, shadow));
}

/** The rows after the plan, on copies of the shadows of the changed zones. */
export async function worldAfter(plan: Plan, copies: Shadows, before: World, count: Counter): Promise<World> {
  const { zones, flows, omissions } = await worldOf(changedZones(plan), { shadows: copies, count }, (shadow) => buildAfter(plan, shadow));
  return { zones: new Map([...before.zones, ...zones]), flows: new Map([...before.flows, ...flows]), omissions };
}

interface Surroundings {
  readonly shadows: Shadows;
  readonly count: Counter;
}

async function worldOf(names: readonly string[], { shadows, count }: Surroundings, build: (shadow: Shadow) => Promise<Omission[]>): Promise<World> {
  const done = count(names.length);
  const read = names.map((zone) =>
    shadows.in(zone, async (shadow) => {
      const omissions = await build(shadow);
      const read = { facts: await readFacts(shadow), flows: await readFlows(shadow), omissions };
      await makeTraceable(shadow);
      done();
      return read;
    }),
  );
  const all = await Promise.all(read);
  return {
    zones: new Map(all.map(({ facts }) => [facts.zone, facts])),
    flows: new Map(all.map(({ facts, flows }) => [facts.zone, flows])),
    omissions: all.flatMap(({ omissions }) => omissions),
  };
}

/** Zones that have a port itself, not only its remote twin, by the tunnel keys that identify the port in all zones. */
export function homesOf({ zones }: World, key: string): { readonly facts: ZoneFacts; readonly port: Port }[] {
  return [...zones.values()].flatMap((facts) =>
    [...facts.ports.values()].filter((port) => port.key === key && port.type !== "remote").map((port) => ({ facts, port })),
  );
}
