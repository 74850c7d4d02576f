import { distance } from "fastest-levenshtein";
import type { Failure } from "../arguments/errors";
import { didYouMean, nearest } from "../arguments/nearest";
import { KNOWN_TABLES } from "../rows/known-tables";
import type { DatabaseName } from "../rows/rowset";
import { propertyPath } from "./failures";
import { sortedEntries } from "./rows";

/** What a row of the arguments names. */
interface Naming {
  readonly table: string;
  readonly columns: object;
  readonly references: object;
  readonly parent?: { readonly table: string; readonly column: string } | undefined;
}

/** Names of tables and columns that the schemas of this package do not have: typos, and what a newer database may have. */
export interface UnknownNames {
  readonly typos: readonly Failure[];
  readonly newer: readonly Failure[];
}

/** Pure: a check asks no database. */
export function unknownNames(database: DatabaseName, entries: Readonly<Record<string, Naming>>): UnknownNames {
  const found = sortedEntries(entries).flatMap(([key, { table, columns, references, parent }]) => {
    const at = (...path: string[]) => propertyPath(["entries", key, ...path]);
    const named = [
      ...Object.keys(columns).map((column) => ({ column, path: at("columns", column) })),
      ...Object.keys(references).map((column) => ({ column, path: at("references", column) })),
    ];
    return [
      ...namesIn(database, table, at("table"), named),
      ...(parent ? namesIn(database, parent.table, at("parent", "table"), [{ column: parent.column, path: at("parent", "column") }]) : []),
    ];
  });
  return { typos: found.filter(({ code }) => code !== NEWER), newer: found.filter(({ code }) => code === NEWER) };
}

const NEWER = "OVN_WARN_SCHEMA";

function namesIn(database: DatabaseName, table: string, path: string, columns: readonly { readonly column: string; readonly path: string }[]): Failure[] {
  const { version, tables } = KNOWN_TABLES[database];
  const newer = (what: string) => `${what} in ${database} ${version}, which this package knows; the update fails unless the database is newer`;
  if (!Object.hasOwn(tables, table)) {
    const names = Object.keys(tables);
    if (isTypo(table, names)) return [{ path, code: "unknown-table", message: `${database} has no table "${table}"${didYouMean(table, names)}` }];
    return [{ path, code: NEWER, message: newer(`there is no table "${table}"`) }];
  }
  const names = tables[table]!.split(" ");
  return columns
    .filter(({ column }) => !names.includes(column))
    .map((at) => {
      const { column } = at;
      if (isTypo(column, names))
        return { path: at.path, code: "unknown-column", message: `table ${table} has no column "${column}"${didYouMean(column, names)}` };
      return { path: at.path, code: NEWER, message: newer(`table ${table} has no column "${column}"`) };
    });
}

/** Letters by which names differ that no two of one schema differ by. */
const MOST = 2;

/** Whether a name is one of these, written wrongly. What differs in a digit, as dhcpv4_options and dhcpv6_options do, is another name; so may be what is short. */
function isTypo(word: string, names: readonly string[]): boolean {
  const plain = (name: string) => name.toLowerCase().replaceAll("_", "");
  if (names.some((name) => plain(name) === plain(word))) return true;
  const near = nearest(word, names);
  const digits = (name: string) => name.replace(/\D/g, "");
  return near !== undefined && near.length > 4 && digits(near) === digits(word) && distance(word, near) <= MOST;
}
