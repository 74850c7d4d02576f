import { plural } from "../../upgrade/report";
import { type Counts, type Difference, hasChanges, type OtherDifference, type ResourceDifference } from "../model";
import { clipped, visible } from "../visible";
import type { Omitted } from "./document";

/** A name in one line, short enough for a heading. */
export function shortName(name: string, most = 100): string {
  return clipped(visible(name), most);
}

/** `5 rows: 4 added, 1 changed`, or `4 rows added`. */
export function rowsText({ added, changed, removed, recreated, uncounted }: Counts): string {
  const kinds = [[added, "added"], [changed, "changed"], [removed, "removed"], [recreated, "deleted and made again"]] as const;
  const parts = kinds.filter(([count]) => count > 0);
  const total = parts.reduce((sum, [count]) => sum + count, 0);
  const [first] = parts;
  const rows = !first ? "no rows" : parts.length === 1 ? `${plural(total, "row")} ${first[1]}` : `${plural(total, "row")}: ${parts.map(([count, what]) => `${count} ${what}`).join(", ")}`;
  if (uncounted === 0) return rows;
  return `${total > 0 ? `${rows}, and those` : "rows"} of ${plural(uncounted, "resource")} that the preview does not show`;
}

/** `3 zones, 41 rows: 40 added, 1 changed; 2 other resources`. */
export function summary(difference: Difference): string {
  const { counts, others } = difference;
  if (!hasChanges(difference)) return difference.failed ? "nothing was compared" : "no changes";
  const rows = counts.zones > 0 ? [`${plural(counts.zones, "zone")}, ${rowsText(counts)}`] : [];
  return [...rows, ...(others.length > 0 ? [plural(others.length, "other resource")] : [])].join("; ");
}

/** What can't be taken back; undefined when there is nothing of that. */
export function danger(resources: readonly { readonly operation: string }[]): string | undefined {
  const count = (operation: string) => resources.filter((resource) => resource.operation === operation).length;
  const parts = [[count("delete"), "deleted"], [count("replace"), "replaced"], [count("move-out"), "moved to another zone"]] as const;
  const said = parts.filter(([times]) => times > 0).map(([times, what]) => `${plural(times, "resource")} ${what}`);
  return said.length === 0 ? undefined : said.join(", ");
}

/** Every resource of a difference, with rows or without. */
export function allResources({ zones, others }: Difference): readonly { readonly operation: string }[] {
  return [...zones.flatMap(({ resources }) => resources), ...others];
}

export const FAILED = "The preview failed: what it shows is not the whole change.";

const WORDS: Readonly<Record<string, string>> = { create: "(new)", delete: "DELETED", replace: "REPLACED", "move-out": "MOVED AWAY", "move-in": "MOVED HERE", forget: "forgotten by the stack; its rows stay" };

/** What is to be said of a resource beside its name: what can't be taken back, and why. */
export function resourceNote({ operation, replaceReasons, otherZone }: Pick<ResourceDifference, "operation" | "replaceReasons" | "otherZone">): string {
  const word = WORDS[operation];
  if (!word) return "";
  const where = otherZone === undefined ? "" : ` ${operation === "move-out" ? "to" : "from"} zone ${shortName(otherZone)}`;
  const why = replaceReasons ? ` (${shortName(replaceReasons.join(", "))} changes)` : "";
  const again = operation === "replace" ? ": its rows are deleted and made again" : "";
  return ` ${word}${where}${why}${again}`;
}

export const UNTOLD = {
  secret: "its rows are hidden: the arguments hold a secret",
  unknown: "its rows are not known before the update: they depend on resources that are not there yet",
} as const;

export interface OtherLine {
  readonly operation: string;
  readonly text: string;
}

/** One line for each resource; those of ovn that have no rows, such as waits, together by kind. */
export function otherLines(others: readonly OtherDifference[]): { readonly lines: OtherLine; readonly weight: number }[] {
  const groups = new Map<string, OtherDifference[]>();
  for (const [index, other] of others.entries()) {
    const key = other.ovn ? JSON.stringify([other.type, other.operation, other.properties]) : String(index);
    groups.set(key, [...(groups.get(key) ?? []), other]);
  }
  return [...groups.values()].map((all) => ({ lines: otherLine(all), weight: all.length }));
}

/** As many names of resources of one kind are said. */
const NAMES = 5;

function otherLine(all: readonly OtherDifference[]): OtherLine {
  const [{ operation, type, properties }] = all as [OtherDifference];
  const names = all.slice(0, NAMES).map(({ name }) => shortName(name)).join(", ");
  const more = all.length > NAMES ? ` and ${all.length - NAMES} more` : "";
  const what = properties.length > 0 ? ` (${operation === "replace" ? "because of " : ""}${shortName(properties.join(", "), 200)})` : "";
  const word = { create: "created", update: "updated", import: "imported", forget: "forgotten by the stack" }[operation] ?? WORDS[operation] ?? operation;
  return { operation, text: `${shortName(type)} ${names}${more} ${word}${what}` };
}

/** What is missing, and how to see it. */
export function omittedText({ bytes, clipped: cut, counted, zones, resources, messages }: Omitted): string {
  const parts = [
    [cut, `the ends of long values of ${plural(cut, "zone")}`],
    [counted, `the rows of ${plural(counted, "zone")}, of which only counts are shown`],
    [zones, `all of ${plural(zones, "zone")}`],
    [resources, plural(resources, "other resource")],
    [messages, `${plural(messages, "message")}, in whole or in part`],
  ] as const;
  const said = parts.filter(([count]) => count > 0).map(([, text]) => text);
  return `Left out, to stay within ${bytes} bytes: ${said.join("; ")}. The counts at the top are of everything. To see it all: pulumi-ovn diff --max-bytes 0`;
}
