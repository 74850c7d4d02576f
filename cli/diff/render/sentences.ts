import { listed, visible } from "@pulumi-ovn/provider/tools";
import { plural } from "../../texts";
import { type Counts, type Difference, hasChanges, type OtherDifference, targetDifferences, type ResourceDifference, sumOf } from "../model";
import type { TargetKind } from "../../plan/target";
import type { Untold } from "../../plan/untold";
import { clipped } from "../sizes";
import type { Omitted } from "./document";

/** A name in one line, short enough for a heading. */
export function shortName(name: string, most = 100): string {
  return clipped(visible(name), most);
}

/** Noun for the objects that are counted in a target. */
export type Noun = "row" | "object";

export function nounOf(kind: TargetKind): Noun {
  return kind === "cluster" ? "object" : "row";
}

/** `5 rows: 4 added, 1 changed`, or `4 rows added`. */
export function rowsText({ added, adopted, changed, removed, recreated, uncounted }: Counts, noun: Noun): string {
  const kinds = [
    [added, "added"],
    [adopted, "adopted"],
    [changed, "changed"],
    [removed, "removed"],
    [recreated, "written again"],
  ] as const;
  const parts = kinds.filter(([count]) => count > 0);
  const total = parts.reduce((sum, [count]) => sum + count, 0);
  const [first] = parts;
  const rows = !first
    ? `no ${noun}s`
    : parts.length === 1
      ? `${plural(total, noun)} ${first[1]}`
      : `${plural(total, noun)}: ${parts.map(([count, what]) => `${count} ${what}`).join(", ")}`;
  if (uncounted === 0) return rows;
  return `${total > 0 ? `${rows}, and those` : `${noun}s`} of ${plural(uncounted, "resource")} that the preview does not show`;
}

/** `3 zones, 41 rows: 40 added, 1 changed; 1 cluster, 2 objects added; 2 other resources`. */
export function summary(difference: Difference): string {
  const { intents, others } = difference;
  if (!hasChanges(difference)) return difference.failed ? "nothing was compared" : "no changes";
  const rows = (["zone", "host", "cluster"] as const).flatMap((kind) => {
    const targets = targetDifferences(difference).filter((target) => target.kind === kind);
    return targets.length > 0 ? [`${plural(targets.length, kind)}, ${rowsText(sumOf(targets.map(({ counts }) => counts)), nounOf(kind))}`] : [];
  });
  return [
    ...rows,
    ...(intents.length > 0 ? [plural(intents.length, "intent")] : []),
    ...(others.length > 0 ? [plural(others.length, "other resource")] : []),
  ].join("; ");
}

/** Irreversible changes. Undefined if there are no such changes. */
export function danger(resources: readonly { readonly operation: string }[]): string | undefined {
  const count = (operation: string) => resources.filter((resource) => resource.operation === operation).length;
  const parts = [
    [count("delete"), "deleted"],
    [count("replace"), "replaced"],
    [count("move-out"), "moved elsewhere"],
  ] as const;
  const phrases = parts.filter(([times]) => times > 0).map(([times, what]) => `${plural(times, "resource")} ${what}`);
  return phrases.length === 0 ? undefined : phrases.join(", ");
}

/** Every resource of a difference, with rows or without. */
export function allResources(difference: Difference): readonly { readonly operation: string }[] {
  return [...targetDifferences(difference).flatMap(({ resources }) => resources), ...difference.others];
}

export const FAILED = "The preview failed: what it shows is not the whole change.";

const WORDS: Readonly<Record<string, string>> = {
  create: "(new)",
  delete: "DELETED",
  replace: "REPLACED",
  "move-out": "MOVED AWAY",
  "move-in": "MOVED HERE",
  forget: "forgotten by the stack",
};

/** Note after a resource's name: the irreversible operation, and its reason. */
export function resourceNote(
  { operation, replaceReasons, otherZone }: Pick<ResourceDifference, "operation" | "replaceReasons" | "otherZone">,
  kind: TargetKind,
): string {
  const word = WORDS[operation];
  if (!word) return "";
  const where = otherZone === undefined ? "" : ` ${operation === "move-out" ? "to" : "from"} ${kind} ${shortName(otherZone)}`;
  const why = replaceReasons ? ` (${shortName(replaceReasons.join(", "))} changes)` : "";
  const noun = nounOf(kind);
  const then = operation === "replace" ? `: its ${noun}s are written again` : operation === "forget" ? `; its ${noun}s stay` : "";
  return ` ${word}${where}${why}${then}`;
}

const UNTOLD = {
  secret: "are hidden: the arguments hold a secret",
  unknown: "are not known before the update: they depend on resources that are not there yet",
  unobserved: "are not known before the update: they depend on what the preview could not read",
} as const;

/** Why a resource's rows are not shown. */
export function untoldText(untold: Untold, kind: TargetKind): string {
  return `its ${nounOf(kind)}s ${UNTOLD[untold]}`;
}

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

/** Maximum number of names that are printed for resources of one kind. */
const NAMES = 5;

function otherLine(all: readonly OtherDifference[]): OtherLine {
  const [{ operation, type, properties }] = all as [OtherDifference];
  const names = listed(
    all.map(({ name }) => shortName(name)),
    NAMES,
  );
  const what = properties.length > 0 ? ` (${operation === "replace" ? "because of " : ""}${shortName(properties.join(", "), 200)})` : "";
  const word = { create: "created", update: "updated", import: "imported" }[operation] ?? WORDS[operation] ?? operation;
  return { operation, text: `${shortName(type)} ${names} ${word}${what}` };
}

/** Common noun for zones, hosts and clusters. */
export function targetNoun({ hosts, clusters }: Difference): string {
  return hosts.length + clusters.length === 0 ? "zone" : "target";
}

/** Names the omitted parts, and the way to see them. */
export function omittedText({ bytes, clipped: cut, counted, targets, resources, intents, effects, messages }: Omitted, noun: string): string {
  const parts = [
    [cut, `the ends of long values of ${plural(cut, noun)}`],
    [counted, `the rows of ${plural(counted, noun)}, of which only counts are shown`],
    [targets, `all of ${plural(targets, noun)}`],
    [intents, plural(intents, "intent")],
    [effects, `${plural(effects, "line")} of effects on packets`],
    [resources, plural(resources, "other resource")],
    [messages, `${plural(messages, "message")}, in whole or in part`],
  ] as const;
  const phrases = parts.filter(([count]) => count > 0).map(([, text]) => text);
  return `Left out, to stay within ${bytes} bytes: ${phrases.join("; ")}. The counts at the top are of everything. To see it all: pulumi-ovn diff --max-bytes 0`;
}
