import { rowLabel, rowUuid } from "@pulumi-ovn/provider/tools";
import type { Plan, PlannedResource, Side } from "../plan/plan";
import { renderedRows } from "../upgrade/rendering";

/** Names of rows as the program has them, by the first eight digits of their UUIDs. */
export type RowNames = ReadonlyMap<string, string>;

/** Pure. Rows of all resources of the plan, such as `ACL deny of NorthboundRows "rules"`. */
export function rowNames({ resources }: Plan): RowNames {
  return new Map(resources.flatMap((resource) => [resource.before, resource.after].flatMap((side) => (side ? namesIn(resource, side) : []))));
}

function namesIn({ urn, owner, kind, name }: PlannedResource, { state, untold }: Side): (readonly [string, string])[] {
  if (untold !== undefined) return [];
  try {
    const rows = renderedRows({ urn, type: state.type, parent: "", inputs: state.inputs })?.rows ?? [];
    return rows.map((row) => [rowUuid(owner, row.table, row.key).slice(0, 8), `${rowLabel(row)} of ${kind} "${name}"`] as const);
  } catch {
    // Arguments of another release. Their rows have no names.
    return [];
  }
}
