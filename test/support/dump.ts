/** Rows of databases as ovsdb-client(1) sees them: `ZONE TABLE UUID` to columns, each cell as JSON text. */
export type Dump = ReadonlyMap<string, Readonly<Record<string, string>>>;

/** Columns that change without a change of rows: configuration numbers, whether a port is bound, and the chassis of a router's port. */
const VOLATILE: Readonly<Record<string, readonly string[]>> = {
  NB_Global: ["nb_cfg", "nb_cfg_timestamp", "sb_cfg", "sb_cfg_timestamp", "hv_cfg", "hv_cfg_timestamp"],
  SB_Global: ["nb_cfg"],
  Logical_Router_Port: ["status"],
  Logical_Switch_Port: ["up"],
};

interface Table {
  readonly caption: string;
  readonly headings: readonly string[];
  readonly data: readonly (readonly unknown[])[];
}

/** Reads what `ovsdb-client --format=json dump` prints. */
export function parseDump(text: string, prefix: string): [string, Record<string, string>][] {
  const tables = text
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Table);
  return tables.flatMap(({ caption, headings, data }) => {
    const table = caption.replace(/ table$/, "");
    const columns = headings.map((name, index) => [name, index] as const).filter(([name]) => name !== "_uuid" && !VOLATILE[table]?.includes(name));
    return data.map((row): [string, Record<string, string>] => {
      const [, uuid] = row[headings.indexOf("_uuid")] as [string, string];
      return [`${prefix} ${table} ${uuid}`, Object.fromEntries(columns.map(([name, index]) => [name, JSON.stringify(row[index])]))];
    });
  });
}

export interface Difference {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  /** The columns that differ, by row. */
  readonly changed: Readonly<Record<string, readonly string[]>>;
}

export const NO_DIFFERENCE: Difference = { added: [], removed: [], changed: {} };

/** Row by row, by UUID. */
export function difference(before: Dump, after: Dump): Difference {
  const changed: Record<string, string[]> = {};
  for (const [row, columns] of before) {
    const now = after.get(row);
    const differing = now === undefined ? [] : Object.keys(columns).filter((name) => columns[name] !== now[name]);
    if (differing.length > 0) changed[row] = differing;
  }
  return {
    added: [...after.keys()].filter((row) => !before.has(row)).sort(),
    removed: [...before.keys()].filter((row) => !after.has(row)).sort(),
    changed,
  };
}

/** The tables of rows, each as often as it has rows: `node1 Logical_Router_Port`. */
export function tablesOf(rows: readonly string[]): string[] {
  return rows.map((row) => row.split(" ").slice(0, 2).join(" ")).sort();
}
