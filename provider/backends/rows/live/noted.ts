import type { Snapshot } from "../database/row";
import { noteIn, readNote } from "../marks/note";
import { rowsQuery } from "./observe";
import { ask, type Source } from "../database/query";
import type { ResolvedRow } from "../set/resolve";

/**
 * Rows whose own notes name columns that were not read, because an interrupted update set them, are read again. Whole: the second
 * reading replaces the first, which has columns that only the version before names.
 */
export async function withNoted({ client, schema, call }: Source, rows: readonly ResolvedRow[], found: Snapshot): Promise<Snapshot> {
  const lacking = rows.filter(({ uuid, table }) => {
    const live = found.get(uuid);
    const note = live && noteIn(live);
    return note !== undefined && [...readNote(note).keys()].some((name) => !(name in live!) && schema.table(table).columns.has(name));
  });
  if (lacking.length === 0) return found;
  const [again] = await ask<[Snapshot]>(
    client,
    call,
    rowsQuery(schema, lacking, (table) => [...schema.table(table).columns.keys()]),
  );
  return new Map([...found, ...again]);
}
