import type { DatabaseSchema } from "@pulumi-ovn/ovsdb-client";
import type { ResolvedContribution } from "./contributions";
import type { RowLines } from "../lines";
import type { Snapshot } from "../database/row";
import { contributionText } from "../lines/contributions";
import { surplusContributions } from "./surplus";
import { currentValue, entryOf } from "./values";
import { MISSING, SURPLUS } from "../marks/surplus";

/** Contributions to foreign rows, with the live rows. */
export interface Shared {
  readonly contributions: readonly ResolvedContribution[];
  readonly live: Snapshot;
  readonly owner: string;
}

/** Live state of contributions in foreign rows. Pure. */
export function sharedState(
  { contributions, live, owner }: Shared,
  schema: DatabaseSchema,
): { present: number; lines: RowLines; drift: Record<string, string> } {
  const drift: Record<string, string> = {};
  const lines: RowLines = {};
  const surplus = surplusContributions(contributions, live, owner, schema);
  let present = surplus.length;
  for (const contribution of contributions) {
    const row = contribution.uuid === undefined ? undefined : live.get(contribution.uuid);
    const current = row && currentValue(contribution, row);
    // With another value it still exists while the mark names its owner: it is deleted with the resource.
    const changed = row !== undefined && current !== undefined && entryOf(row, "external_ids", contribution.mark) === owner;
    if (current === contribution.value || changed) present++;
    if (current !== contribution.value) drift[contribution.label] = current === undefined ? MISSING : `${current} instead of ${contribution.value}`;
    if (current !== undefined) lines[contribution.label] = current === contribution.value ? contributionText(contribution.source) : current;
  }
  for (const { label } of surplus) drift[label] = SURPLUS;
  return { present, lines, drift };
}
