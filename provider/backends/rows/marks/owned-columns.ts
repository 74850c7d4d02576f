import type { TableSchema } from "@pulumi-ovn/ovsdb-client";
import { isDerivedUuid } from "../../../kit/identity";
import type { LiveRow } from "../database/row";
import { noteIn, ownColumns, readNote, type OwnColumns } from "./note";
import { ownerIn } from "./ownership";
import type { ResolvedRow } from "../set/resolve";

/** Columns that earlier versions of a resource set in its rows, from all sources. */
export interface Memory {
  readonly owner: string;
  /** The rows of the version before, by UUID, where it can be rendered. */
  readonly before: ReadonlyMap<string, ResolvedRow>;
  /** By table: columns and keys that the version before set in any row; for rows without a note of their own. */
  readonly tables?: Readonly<Record<string, OwnColumns>> | undefined;
}

/** Columns, and keys of maps, that an earlier version set in this row and that it does not set now. */
export function ownedColumns(row: ResolvedRow, live: LiveRow, { owner, before, tables }: Memory, table: TableSchema): OwnColumns {
  const earlier = before.get(row.uuid);
  // The note of a row that is being taken over is its former owner's.
  const note = ownerIn(live) === owner ? noteIn(live) : undefined;
  const sources: OwnColumns[] = [];
  if (earlier) sources.push(ownColumns(earlier.columns));
  if (note !== undefined) sources.push(readNote(note));
  // A row that was taken over holds what its first owner put in, under the same keys perhaps.
  else if (tables?.[row.table] && isDerivedUuid(row.uuid)) sources.push(tables[row.table]!);
  const wanted = ownColumns(row.columns);
  const dropped = new Map<string, "whole" | Set<string>>();
  for (const [name, own] of sources.flatMap((source) => [...source])) {
    const desired = wanted.get(name);
    if (!table.columns.has(name) || desired === "whole") continue;
    if (own === "whole") {
      if (desired === undefined) dropped.set(name, "whole");
      continue;
    }
    const keys = [...own].filter((key) => !desired?.has(key));
    const known = dropped.get(name);
    if (keys.length > 0) dropped.set(name, new Set([...(known instanceof Set ? known : []), ...keys]));
  }
  return dropped;
}
