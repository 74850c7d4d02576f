import type { Snapshot } from "../database/row";
import { noteIn, readNote } from "../marks/note";
import { rowsQuery } from "./observe";
import { ask, type Source } from "../database/query";
import type { ResolvedRow } from "../set/resolve";

/**
 * Reads again each row whose note names columns that were not read: an interrupted update set them. Reads all columns, because the
 * result replaces the first reading, which has columns that only the previous version names.
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
