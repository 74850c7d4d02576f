import type { RowSet } from "@pulumi-ovn/provider";
import { rowLabel, rowUuid } from "@pulumi-ovn/provider/tools";
import type { Plan, PlannedResource, Side } from "../../plan/plan";
import type { Step } from "../types";
import { renderedRows } from "../../stack/rendering";

/** Names of rows as the program has them, by the first eight digits of their UUIDs. */
export type RowNames = ReadonlyMap<string, string>;

/** Pure. Rows of all resources of the plan, such as `ACL deny of NorthboundRows "rules"`. */
export function rowNames({ resources }: Plan): RowNames {
  return new Map(resources.flatMap((resource) => [resource.before, resource.after].flatMap((side) => (side ? namesIn(resource, side) : []))));
}

/** Name of the row, rule or resource that a flow derives from. Undefined if the program does not have it. */
export function originOf({ hint, origin }: Step, names: RowNames): string | undefined {
  return origin ?? (hint === undefined ? undefined : names.get(hint));
}

function namesIn(resource: PlannedResource, side: Side): (readonly [string, string])[] {
  const { owner, kind, name } = resource;
  return rowsOf(resource, side).map((row) => [rowUuid(owner, row.table, row.key).slice(0, 8), `${rowLabel(row)} of ${kind} "${name}"`] as const);
}

/** Rows of a resource before or after the plan. Empty if its arguments do not determine them. */
export function rowsOf({ urn }: PlannedResource, { state, untold }: Side): RowSet["rows"] {
  if (untold !== undefined) return [];
  try {
    return renderedRows({ urn, type: state.type, parent: "", inputs: state.inputs })?.rows ?? [];
  } catch {
    // Arguments of another release.
    return [];
  }
}
