import type { Plan } from "../plan/plan";
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
export function worldBefore(plan: Plan, shadows: Shadows): Promise<World> {
  return worldOf(zonesOf(plan), shadows, (shadow) => buildBefore(plan, shadow));
}

/** The rows after the plan, on copies of the shadows of the changed zones. */
export async function worldAfter(plan: Plan, copies: Shadows, before: World): Promise<World> {
  const { zones, flows, omissions } = await worldOf(changedZones(plan), copies, (shadow) => buildAfter(plan, shadow));
  return { zones: new Map([...before.zones, ...zones]), flows: new Map([...before.flows, ...flows]), omissions };
}

async function worldOf(names: readonly string[], shadows: Shadows, build: (shadow: Shadow) => Promise<Omission[]>): Promise<World> {
  const read = names.map((zone) =>
    shadows.in(zone, async (shadow) => {
      const omissions = await build(shadow);
      const read = { facts: await readFacts(shadow), flows: await readFlows(shadow), omissions };
      await makeTraceable(shadow);
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
