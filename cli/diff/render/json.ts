import type { Difference, ZoneDifference } from "../model";
import { type Layout, levels, type Omitted, RANKS, type Section, zoneLevels } from "./document";
import { danger, shortName } from "./sentences";

/** Of this format; a member that is added changes no number. */
const VERSION = 1;

/**
 * For programs: `Difference` as it is, one zone in a line. Where zones have to be cut, they say so with `omitted`, and the
 * whole has `omitted` with what is missing.
 */
export function jsonFormat(difference: Difference): Layout {
  const { project, stack, failed, counts, diagnostics, zones, others } = difference;
  const head = { version: VERSION, project: shortName(project), stack: shortName(stack), failed, counts };
  return {
    head: JSON.stringify(head).replace(/}$/, ","),
    sections: [
      ...diagnostics.map((diagnostic): Section => ({ about: "message", weight: 1, levels: levels([element(diagnostic), "all", RANKS.message]) })),
      ...zones.map(zoneSection),
      ...others.map((other): Section => ({ about: "resource", weight: 1, levels: levels([element(other), "all", RANKS.other]) })),
    ],
    tail: (omitted) => `${JSON.stringify({ omitted: omitted ? members(omitted) : null }).slice(1)}\n`,
    join: (texts) =>
      ([["diagnostics", "message"], ["zones", "zone"], ["others", "resource"]] as const)
        .map(([name, kind]) => `${JSON.stringify(name)}:[${texts.filter(({ about }) => about === kind).map(({ text }) => text).join("").replace(/,\n$/, "\n")}],\n`)
        .join(""),
  };
}

function element(value: unknown): string {
  return `${JSON.stringify(value)},\n`;
}

function zoneSection({ zone, counts, resources }: ZoneDifference): Section {
  const bare = resources.map(({ rows: _rows, ...resource }) => resource);
  return {
    about: "zone",
    weight: 1,
    levels: zoneLevels(danger(resources) !== undefined, {
      line: element({ zone, counts, omitted: "resources" }),
      counts: element({ zone, counts, resources: bare, omitted: "rows" }),
      all: element({ zone, counts, resources }),
    }),
  };
}

function members({ bytes, counted, zones, resources, messages }: Omitted): Record<string, number> {
  return { bytes, zonesWithoutRows: counted, zones, others: resources, diagnostics: messages };
}
