import type { ResourceDifference, RowDifference } from "../model";
import type { TargetKind } from "../../plan/target";
import { nounOf, resourceNote, shortName, untoldText } from "./sentences";

/** Counts of row changes by table, one line for each resource. */
export function countLines(resources: readonly ResourceDifference[], target: TargetKind): string[] {
  return resources.map((difference) => {
    const { kind, name, rows, tables = [], untold } = difference;
    const counts = new Map<string, Record<RowDifference["operation"], number>>();
    for (const { table, operation } of rows) {
      const own = counts.get(table) ?? { add: 0, adopt: 0, change: 0, remove: 0 };
      own[operation] += 1;
      counts.set(table, own);
    }
    const counted = [...counts].map(([table, { add, adopt, change, remove }]) => {
      const parts = [
        [add, "added"],
        [adopt, "adopted"],
        [change, "changed"],
        [remove, "removed"],
      ] as const;
      return `${shortName(table)} ${parts
        .filter(([count]) => count > 0)
        .map(([count, what]) => `${count} ${what}`)
        .join(", ")}`;
    });
    const listed = tables.map(({ table, before, after }) => `${shortName(table)} ${before} before, ${after} after`);
    const said = [...counted, ...listed, ...(untold ? [untoldText(untold, target)] : [])];
    return `${shortName(kind)} ${shortName(name)}${resourceNote(difference, target)}: ${said.join("; ") || `no ${nounOf(target)} differs`}`;
  });
}
