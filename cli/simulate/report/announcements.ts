import { natural } from "../../diff/order";
import type { Plan, PlannedResource } from "../../plan/plan";
import { type Announced, generatedBy } from "../zones/exposures";
import type { World } from "../zones/world";

/** Prefixes that a node or a chassis starts and stops to announce. */
export interface Announcement {
  /** Such as `RouteAdvertisement "blue"`. */
  readonly resource: string;
  readonly node: string;
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

/** Pure. Prefixes that come and go, and what is not known about them. */
export function announcementsOf({ resources }: Plan, before: World, after: World): { readonly announcements: Announcement[]; readonly unknowns: string[] } {
  const changed = resources.filter((resource) => isChanged(resource, before, after));
  const compared = changed.map((resource) => ({
    title: `${resource.kind} "${resource.name}"`,
    old: announcedBy(resource, "before", before),
    wanted: announcedBy(resource, "after", after),
  }));
  const isUnknown = (announced: Announced): announced is string => typeof announced === "string";
  return {
    announcements: compared.flatMap(({ title, old, wanted }) => (isUnknown(old) || isUnknown(wanted) ? [] : changesOf(title, old, wanted))),
    unknowns: compared.flatMap(({ title, old, wanted }) => {
      const why = [wanted, old].find(isUnknown);
      return why === undefined ? [] : [`announcements of ${title}: ${why}`];
    }),
  };
}

const NONE: Announced = {};

/** Whether anything changes that announcements of a resource depend on: its arguments, or rows of its zone. */
function isChanged({ kind, operation, before: old, after: wanted }: PlannedResource, before: World, after: World): boolean {
  if (kind === "RouteAdvertisement") return operation !== "same";
  const zones = [old, wanted].flatMap((side) => side?.target?.name ?? []);
  return kind === "BgpExposure" && zones.some((zone) => before.exposures.get(zone) !== after.exposures.get(zone));
}

function announcedBy(resource: PlannedResource, side: "before" | "after", { exposures }: World): Announced {
  const given = resource[side];
  if (given === undefined) return NONE;
  return resource.kind === "BgpExposure" ? (exposures.get(given.target?.name ?? "")?.get(resource.urn) ?? NONE) : generatedBy(given);
}

function changesOf(resource: string, old: Exclude<Announced, string>, wanted: Exclude<Announced, string>): Announcement[] {
  const nodes = [...new Set([...Object.keys(old), ...Object.keys(wanted)])].sort(natural);
  return nodes.flatMap((node) => {
    const [had, has] = [old[node] ?? [], wanted[node] ?? []];
    const [added, removed] = [has.filter((prefix) => !had.includes(prefix)), had.filter((prefix) => !has.includes(prefix))];
    return added.length + removed.length === 0 ? [] : [{ resource, node, added, removed }];
  });
}

/** Text for an announcement, with each name passed through `name`. */
export function announcementText({ resource, node, added, removed }: Announcement, name: (text: string) => string): string {
  const list = (sign: string, prefixes: readonly string[]) =>
    prefixes.length === 0
      ? []
      : [
          `${prefixes
            .slice(0, MOST)
            .map((prefix) => name(`${sign}${prefix}`))
            .join(" ")}${prefixes.length > MOST ? ` and ${prefixes.length - MOST} more` : ""}`,
        ];
  return `${name(node)}, ${name(resource)}: ${[...list("+", added), ...list("-", removed)].join(", ")}`;
}

/** Prefixes that a line names. */
const MOST = 12;
