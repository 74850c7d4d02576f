import type { ResourceDifference, ZoneDifference } from "./model";

/** Zones in which the same happens: in a network that gets one node more, all the others. */
export interface ZoneGroup {
  readonly zones: readonly string[];
  readonly difference: ZoneDifference;
  /** Of the first zone; in their names `{zone}` stands for the zone where there are several. */
  readonly resources: readonly ResourceDifference[];
}

const PLACE = "{zone}";

/** Groups in the order of their first zones. */
export function groupZones(zones: readonly ZoneDifference[]): ZoneGroup[] {
  const groups = new Map<string, ZoneDifference[]>();
  for (const difference of zones) {
    const key = JSON.stringify(difference.resources.map((resource) => ({ ...resource, name: placed(resource.name, difference.zone) })));
    groups.set(key, [...(groups.get(key) ?? []), difference]);
  }
  return [...groups.values()].map((alike) => {
    const [first] = alike as [ZoneDifference];
    const resources = alike.length === 1 ? first.resources : first.resources.map((resource) => ({ ...resource, name: placed(resource.name, first.zone) }));
    return { zones: alike.map(({ zone }) => zone), difference: first, resources };
  });
}

/** A resource's name without the zone's: whole words of it alone, as "node1" is in "node11" too. */
function placed(name: string, zone: string): string {
  if (zone === "") return name;
  const parts = name.split(zone);
  const isWord = (character: string | undefined) => character !== undefined && /[\p{L}\p{N}]/u.test(character);
  return parts.slice(1).reduce((text, part, index) => `${text}${isWord(parts[index]!.at(-1)) || isWord(part[0]) ? zone : PLACE}${part}`, parts[0]!);
}
