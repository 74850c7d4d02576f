import { sameJson } from "@pulumi-ovn/provider/tools";
import type { Diagnostic } from "./model";
import type { State, Step } from "../plan/preview";
import { partsOf, type ResourceChange } from "../plan/steps";

/**
 * Warnings for new resources that have all rows of a deleted one of their kind and target, as a resource has that was renamed without an
 * alias. In a renamed component there is one for the component.
 */
export function renamedIn(changes: readonly ResourceChange[], steps: readonly Step[], placeOf: (state: State) => string): Diagnostic[] {
  const parents = new Map(steps.map(({ urn, oldState, newState }) => [urn, (newState ?? oldState)?.parent]));
  const deleted = Map.groupBy(
    changes.filter(({ operation }) => operation === "delete"),
    ({ urn }) => kindIn(urn),
  );
  return changes.flatMap(({ urn, operation, after }): Diagnostic[] => {
    if (operation !== "create" || after === undefined) return [];
    const former = deleted.get(kindIn(urn))?.find(({ before }) => before !== undefined && placeOf(before) === placeOf(after) && hasRowsOf(before, after));
    if (former === undefined) return [];
    const [name, from] = renamedPair(urn, former.urn, parents);
    const message = `recreates all rows of ${JSON.stringify(from)}, which is deleted; if it was renamed, set its option aliases: [{ name: ${JSON.stringify(from)} }]`;
    return [{ severity: "warning", message, resource: name }];
  });
}

/** Everything of a URN but the name: stack, project, and the types of the resource and of the components that it is in. */
function kindIn(urn: string): string {
  return urn.split("::", 3).join("::");
}

/** Names of the outermost component or resource that differs. */
function renamedPair(urn: string, former: string, parents: ReadonlyMap<string, string | undefined>): readonly [name: string, from: string] {
  const [outer, formerOuter] = [parents.get(urn), parents.get(former)];
  const known = outer !== undefined && formerOuter !== undefined && outer !== formerOuter && kindIn(outer) === kindIn(formerOuter);
  return known ? renamedPair(outer, formerOuter, parents) : [partsOf(urn).name, partsOf(former).name];
}

/** Whether two states have the same rows. Columns may differ if the preview has a line for each row. */
function hasRowsOf(before: State, after: State): boolean {
  if (before.inputs.digest === after.inputs.digest) return true;
  const [old, wanted] = [before, after].map(({ inputs: { rows } }) => (typeof rows === "object" && rows !== null ? Object.keys(rows).sort() : []));
  return old!.length > 0 && old!.every((label) => label.includes(" ")) && sameJson(old, wanted);
}
