import { intentsIn } from "../../intents/in-state";
import type { Section } from "../section";

interface IntentFacts {
  readonly network: string;
  readonly kind: string;
  readonly intents: readonly string[];
}

/** Maximum number of intents of a network without --all. */
const SHOWN = 20;

export function intentFacts(resources: Parameters<typeof intentsIn>[0]): IntentFacts[] {
  return intentsIn(resources).map(({ network, kind, intents }) => ({ network, kind, intents: Object.keys(intents).sort() }));
}

/** Intents of the networks, as the state has them. `pulumi-ovn simulate` checks them. */
export const intentSection: Section<readonly IntentFacts[]> = {
  name: "intents",
  observe: async ({ resources }) => {
    const all = intentFacts(resources);
    return all.length === 0 ? undefined : all;
  },
  tables: (networks, { all }) =>
    networks.map(({ network, kind, intents }) => {
      const shown = all ? intents : intents.slice(0, SHOWN);
      const left = intents.length - shown.length;
      return {
        title: `Intents of ${kind} ${network}`,
        columns: ["intent"],
        rows: shown.map((text) => ({ cells: [text], error: false })),
        ...(left > 0 && { note: `${left} more intents; --all shows them` }),
      };
    }),
  problems: () => 0,
};
