import type { Value } from "@pulumi-ovn/ovsdb-client";
import type { RawRowArgs, RawValue } from "@pulumi-ovn/provider";
import { type Adopted, adoptionKey, isDerivedUuid, isSendableName, ownerIn, type Properties } from "@pulumi-ovn/provider/tools";
import { type Database, type Parent, elements, type Row } from "./database";
import type { Match } from "./match";
import { callRow, UniqueNames } from "./names";
import { configured } from "./unmanaged";

/** Tables with the database's own settings: its listeners, and data of daemons. They belong to the database, not to networks. */
const SETTINGS: ReadonlySet<string> = new Set(["NB_Global", "Connection", "SSL"]);

/** Rows that no recognizer took, as arguments of one `NorthboundRows`. */
interface Group {
  /** Subject of the rows: the first row, or the row that lists them. */
  readonly row: Row;
  readonly args: Properties;
  readonly adopted: Adopted;
  readonly rows: readonly Row[];
}

export interface Rest {
  /** Made one by one: all of them together would be the database once more. */
  readonly groups: Iterable<Group>;
  readonly settings: readonly Row[];
  /** Rows that stacks have already, by the owner's URN. */
  readonly owned: Readonly<Record<string, number>>;
}

/** All remaining rows: a group per root row with its dependent rows, and a group per resource with further rows. */
export function restOf(zone: string, database: Database, matches: readonly Match[]): Rest {
  const anchors = new Map(matches.flatMap((match) => match.pairs.map(({ row }) => [row.uuid, match.pairs[0]!.row] as const)));
  const settings: Row[] = [];
  const owned: Record<string, number> = {};
  const left = new Set<Row>();
  for (const row of database.rows.values()) {
    const owner = ownerOf(database, row);
    if (anchors.has(row.uuid)) continue;
    if (owner !== undefined) owned[owner] = (owned[owner] ?? 0) + 1;
    else if (SETTINGS.has(row.table)) settings.push(row);
    else left.add(row);
  }
  return { settings, owned, groups: new Grouping(zone, database, left, anchors).groups() };
}

/** The URN in the row's owner mark. A row without marks has the owner of its router port. Otherwise, its UUID shows whether a stack made it. */
function ownerOf(database: Database, row: Row): string | undefined {
  if (database.schema.table(row.table).columns.has("external_ids")) return ownerIn(row.columns);
  const port = portOf(database, row);
  return (port && ownerIn(port.columns)) ?? (isDerivedUuid(row.uuid) ? "a stack that is not known" : undefined);
}

/** The router port that a row of a root table is about. */
function portOf(database: Database, row: Row): Row | undefined {
  if (row.table !== "Static_MAC_Binding" && row.table !== "BFD") return undefined;
  return database.named("Logical_Router_Port", row.columns.logical_port as string);
}

class Grouping {
  readonly #listed = new Map<string, boolean>();

  constructor(
    private readonly zone: string,
    private readonly database: Database,
    private readonly left: ReadonlySet<Row>,
    /** The first row of the resource that a recognized row belongs to. */
    private readonly anchors: ReadonlyMap<string, Row>,
  ) {}

  *groups(): Generator<Group, void> {
    const groups = new Map<Row, Row[]>();
    for (const row of this.left) {
      const anchor = this.#anchorOf(row);
      const group = groups.get(anchor);
      if (group) group.push(row);
      else groups.set(anchor, [row]);
    }
    for (const [anchor, rows] of groups) yield this.#groupOf(anchor, rows);
  }

  /** The row that a group is named after: the root that keeps the row alive, or the first row of the resource that does. */
  #anchorOf(row: Row): Row {
    const above = this.#parentOf(row)?.row ?? portOf(this.database, row);
    if (!above) return row;
    return this.left.has(above) ? this.#anchorOf(above) : (this.anchors.get(above.uuid) ?? above);
  }

  /** The first row that keeps this one alive: the parent that it will have. */
  #parentOf(row: Row): Parent | undefined {
    return this.database.schema.table(row.table).isRoot ? undefined : this.database.parents(row.uuid)[0];
  }

  #groupOf(anchor: Row, rows: readonly Row[]): Group {
    const order = (row: Row) => [row === anchor ? "0" : "1", row.table, callRow(row), row.uuid].join("\0");
    const sorted = rows
      .map((row) => [order(row), row] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([, row]) => row);
    const names = new UniqueNames();
    const keys = new Map(sorted.map((row) => [row.uuid, names.take(callRow(row))]));
    const entries = sorted.map((row) => [keys.get(row.uuid)!, this.#entryOf(row, keys)] as const);
    return {
      row: anchor,
      args: { zone: this.zone, entries: Object.fromEntries(entries) },
      adopted: Object.fromEntries(sorted.map((row) => [adoptionKey(row.table, keys.get(row.uuid)!), row.uuid])),
      rows: sorted,
    };
  }

  #entryOf(row: Row, keys: ReadonlyMap<string, string>): RawRowArgs {
    const columns: Record<string, RawValue> = {};
    const references: Record<string, string | string[]> = {};
    const nameOf = (uuid: string) => keys.get(uuid) ?? uuid;
    for (const [name, value] of configured(this.database, row)) {
      const column = this.database.schema.table(row.table).column(name);
      if (column.type.key.refTable === undefined) {
        const json = rawValue(value);
        if (json !== undefined) columns[name] = json;
      } else if (!this.#listedByParents(row, name)) {
        const targets = elements(value).map(nameOf).sort();
        references[name] = column.isSet ? targets : targets[0]!;
      }
    }
    const above = this.#parentOf(row);
    const parent = above && this.#listedByParents(above.row, above.column) && { table: above.row.table, row: nameOf(above.row.uuid), column: above.column };
    return {
      table: row.table,
      ...(Object.keys(columns).length > 0 && { columns }),
      ...(Object.keys(references).length > 0 && { references }),
      ...(parent && { parent }),
    };
  }

  /**
   * Whether the rows in this column name the column as their parent, so that the column itself is unowned: other writers may add
   * rows. False if a row in several such columns has another parent. False for a column that is never empty (`Meter.bands`): such
   * a row and the rows in the column are added and deleted together.
   */
  #listedByParents(row: Row, name: string): boolean {
    const key = `${row.uuid} ${name}`;
    const known = this.#listed.get(key);
    if (known !== undefined) return known;
    const { isSet, type } = this.database.schema.table(row.table).column(name);
    const children = isSet && type.min === 0 && type.key.refType !== "weak" && !this.database.schema.table(type.key.refTable!).isRoot;
    const listed =
      children &&
      this.database.inside(row, name).every((child) => {
        const parent = this.#parentOf(child)!;
        return !this.left.has(child) || (parent.row === row && parent.column === name);
      });
    this.#listed.set(key, listed);
    return listed;
  }
}

/** undefined for integers that JSON would round: such a column stays unmanaged, as does an entry of a map whose name would be lost. */
function rawValue(value: Value): RawValue | undefined {
  const exact = (item: unknown) => typeof item !== "bigint";
  if (value instanceof Map)
    return [...value].flat().every(exact) ? (Object.fromEntries([...value].filter(([key]) => isSendableName(String(key)))) as RawValue) : undefined;
  if (Array.isArray(value)) return value.every(exact) ? ([...value].sort() as RawValue) : undefined;
  return exact(value) ? (value as RawValue) : undefined;
}
