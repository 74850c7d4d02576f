import type { Section } from "../section";
import { type ExposureFacts, isWrong } from "./facts";
import { exposureFacts } from "./judge";
import { type ExposedTables, liveChassis } from "./live";
import { type ExposureInState, exposuresIn } from "./state";
import { exposureTables } from "./tables";

/** BGP exposures: announced and desired prefixes of each chassis. */
export const bgpSection: Section<readonly ExposureFacts[]> = {
  name: "exposures",
  observe: async (state, targets, look) => {
    const exposures = exposuresIn(state);
    if (exposures.length === 0) return undefined;
    const live = new Map(
      await Promise.all(
        [...exposedTablesOf(exposures)].map(async ([chassis, exposed]) => [chassis, await liveChassis(chassis, exposed, targets, look)] as const),
      ),
    );
    return exposures.map((exposure) => exposureFacts(exposure, live));
  },
  tables: (exposures, shown) => exposures.flatMap((exposure) => exposureTables(exposure, shown)),
  problems: (exposures) =>
    exposures
      .flatMap(({ chassis }) => chassis.map(({ reached, problems, routes }) => (reached ? problems.length + routes.filter(isWrong).length : 1)))
      .reduce((sum, each) => sum + each, 0),
};

/** Pure. Questions, one set per chassis, for all its exposures. */
export function exposedTablesOf(exposures: readonly ExposureInState[]): Map<string, ExposedTables> {
  const exposed = new Map<string, ExposedTables>();
  for (const { mode, tables } of exposures) {
    for (const [chassis, own] of Object.entries(tables)) {
      const before = exposed.get(chassis) ?? { tables: [], agent: false };
      exposed.set(chassis, { tables: [...new Set([...before.tables, ...own])].sort((a, b) => a - b), agent: before.agent || mode === "agent" });
    }
  }
  return exposed;
}
