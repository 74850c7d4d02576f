import { TYPE_PREFIX } from "@pulumi-ovn/provider";
import { type Target, targetKind, targetName, type TargetKind } from "../plan/target";
import { withMembersOf } from "../plan/plan";
import { compareRows } from "./compare";
import { diagnosticsOf } from "./diagnostics";
import { intentDifferences, withoutIntents } from "./intents";
import { compareLeftover } from "./leftover";
import { type Difference, type DriftedRow, type OtherDifference, type TargetDifference, type ResourceDifference, sumOf } from "./model";
import { sortedBy } from "./order";
import type { Preview, State } from "../plan/preview";
import { renamedIn } from "./renamed";
import { knownRows, outlookFor } from "./rows";
import { changesOf, partsOf, type ResourceChange } from "../plan/steps";

/** Placeholder for a zone, host or cluster from another resource that does not exist yet. */
const UNKNOWN_PLACE = "(not known yet)";

/** The differences of a preview, for a reviewer. Pure; independent of the order of the engine's steps. */
export function differenceOf(preview: Preview): Difference {
  const steps = withMembersOf(preview.steps);
  const changes = changesOf(steps);
  const [ofRows, rest] = [changes.filter(hasRows), changes.filter((change) => !hasRows(change))];
  const targets = targetsIn(ofRows.flatMap(byTarget));
  const of = <Name extends TargetKind>(kind: Name) =>
    targets.filter((target) => target.kind === kind).map(({ kind: _kind, name, ...rest }) => ({ [kind]: name, ...rest }) as Record<Name, string> & typeof rest);
  const [zones, hosts, clusters] = [of("zone"), of("host"), of("cluster")];
  const renamed = renamedIn(ofRows, steps, (state) => JSON.stringify([targetKind(state), state.inputs[targetKind(state)]]));
  const diagnostics = diagnosticsOf(preview, renamed);
  const { project = "", stack = "" } = preview.steps[0] ? partsOf(preview.steps[0].urn) : {};
  return {
    project,
    stack,
    failed: diagnostics.some(({ severity }) => severity === "error"),
    counts: { zones: zones.length, hosts: hosts.length, clusters: clusters.length, ...sumOf(targets.map(({ counts }) => counts)) },
    diagnostics,
    zones,
    hosts,
    clusters,
    intents: intentDifferences(changes),
    others: sortedBy(withoutIntents(rest.map(otherOf)), ({ ovn, type, name, operation }) => [ovn ? "0" : "1", type, name, operation]),
  };
}

function hasRows({ type, before, after }: ResourceChange): boolean {
  return type.startsWith(TYPE_PREFIX) && [before, after].some((state) => state?.inputs.digest !== undefined);
}

type OnTarget = readonly [target: Target, resource: ResourceDifference];

/** A resource has one target, except one that moves to another. */
function byTarget(change: ResourceChange): OnTarget[] {
  const { operation, before, after } = change;
  const kind = targetKind((after ?? before)!);
  const [from, to] = [targetName(before, kind), targetName(after, kind)];
  if (operation === "replace" && from !== undefined && to !== undefined && from !== to) {
    return [
      [
        { kind, name: from },
        { ...resource(change, "move-out", before?.retainOnDelete ? undefined : before, undefined), otherZone: to },
      ],
      [
        { kind, name: to },
        { ...resource(change, "move-in", undefined, after), otherZone: from },
      ],
    ];
  }
  const target = { kind, name: to ?? from ?? UNKNOWN_PLACE };
  // If only the state forgets a resource, its rows stay in the database.
  const isForgotten = operation === "forget" || (operation === "delete" && before?.retainOnDelete);
  return [[target, isForgotten ? resource(change, "forget", undefined, undefined) : resource(change, operation, before, after)]];
}

/** States of the replacement of a leftover: its rows have the same UUIDs, so they stay. Without a revision the deletion does not know. */
function replacementOf({ before, replacement = [] }: ResourceChange): State[] {
  if (!before || before.outputs?.revision === undefined) return [];
  const kind = targetKind(before);
  return replacement.filter((state) => state.inputs[kind] === before.inputs[kind]);
}

function resource(change: ResourceChange, operation: ResourceDifference["operation"], before: State | undefined, after: State | undefined): ResourceDifference {
  const { urn, type, name, replaceReasons } = change;
  const replaced = operation === "replace";
  const others = operation === "delete" ? replacementOf(change) : [];
  const compared =
    others.length > 0
      ? compareLeftover(others.map((other) => knownRows(urn, before, other)))
      : compareRows(...knownRows(urn, before, after), replaced, outlookFor(before, after, replaced));
  const { counts, rows, tables, untold } = compared;
  const stays = others.length > 0 && untold === undefined && rows.length + tables.length === 0;
  return {
    kind: type.slice(TYPE_PREFIX.length),
    name,
    operation: stays ? "forget" : operation,
    ...(replaceReasons.length > 0 && { replaceReasons }),
    counts,
    rows,
    ...(tables.length > 0 && { tables, ...driftIn(before) }),
    ...(untold && { untold }),
  };
}

/** The state's rows are what a refresh has read, and of many there are only numbers: the output `drift` names those that differ. */
function driftIn(before: State | undefined): { readonly drift?: DriftedRow[] } {
  const drift = Object.entries(before?.outputs?.drift ?? {}).filter((entry): entry is [string, string] => typeof entry[1] === "string");
  return drift.length === 0 ? {} : { drift: sortedBy(drift, ([row]) => [row]).map(([row, found]) => ({ row, found })) };
}

function targetsIn(all: readonly OnTarget[]): TargetDifference[] {
  const targets = new Map<string, [Target, ResourceDifference[]]>();
  for (const [target, difference] of all) {
    const key = JSON.stringify([target.kind, target.name]);
    const [, resources] = targets.get(key) ?? [target, []];
    targets.set(key, [target, [...resources, difference]]);
  }
  const sorted = sortedBy([...targets.values()], ([{ name }]) => [name]);
  return sorted.map(([target, resources]) => ({
    ...target,
    counts: sumOf(resources.map(({ counts }) => counts)),
    resources: sortedBy(resources, ({ kind, name, operation }) => [kind, name, operation]),
  }));
}

function otherOf({ type, name, operation, properties, replaceReasons }: ResourceChange): OtherDifference {
  const ovn = type.startsWith(TYPE_PREFIX) || type.startsWith("ovn:");
  return {
    operation,
    type: type.startsWith(TYPE_PREFIX) ? type.slice(TYPE_PREFIX.length) : type,
    name,
    ovn,
    properties: operation === "replace" && replaceReasons.length > 0 ? replaceReasons : properties,
  };
}
