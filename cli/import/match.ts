import { type AnyRowKind, ArgumentError, type Rendered } from "@pulumi-ovn/provider";
import {
  accepted,
  type Adopted,
  adoptionKey,
  type Candidate,
  managerOf,
  matchRows,
  naturalKey,
  ownerIn,
  type Properties,
  type ResolvedRow,
  resolveRows,
  driftText,
  rowDrifts,
  RowError,
  toValue,
} from "@pulumi-ovn/provider/tools";
import { type Database, elements, type Row } from "./database";

/** Arguments that stand for live rows exactly. */
export interface Match {
  readonly kind: AnyRowKind;
  readonly args: Properties;
  readonly rendered: Rendered;
  readonly adopted: Adopted;
  readonly pairs: readonly MatchedRow[];
}

export interface MatchedRow {
  readonly row: Row;
  /** Row as rendered from the arguments. */
  readonly desired: ResolvedRow;
}

/** Placeholder for the resource's URN until its name is known. Every row has its live UUID, so nothing depends on the placeholder. */
const NOBODY = "import";

/** Reason why arguments do not match live rows. */
export class Mismatch extends Error {}

/**
 * Renders the arguments and looks for the rows in the database. They match only if all rows exist, belong to no stack and to no
 * other resource of this import, and contain the rendered values. So a wrong guess of a recognizer does no harm.
 * Throws a Mismatch with the difference.
 */
export function matchArgs(database: Database, kind: AnyRowKind, args: Properties, taken: ReadonlySet<string>, adopted?: Adopted): Match {
  const rendered = render(kind, args);
  const { schema } = database;
  const rows = rendered.set.rows;
  const known = adopted ?? find(database, resolveRows(rows, NOBODY, schema, new Map()));
  const resolved = resolveRows(rows, NOBODY, schema, new Map(), known);
  const pairs = resolved.map((desired): MatchedRow => {
    const row = database.rows.get(desired.uuid);
    if (!row) throw new Mismatch(`there is no ${desired.label}`);
    if (taken.has(row.uuid)) throw new Mismatch(`${desired.label} is part of another resource`);
    if (ownerIn(row.columns) !== undefined) throw new Mismatch(`${desired.label} belongs to ${managerOf(row.columns)}`);
    return { row, desired };
  });
  const live = new Map(pairs.map(({ row }) => [row.uuid, row.columns]));
  for (const { label, values } of rowDrifts(resolved, live, schema)) {
    if (values.length > 0) throw new Mismatch(`${label}: ${values.map(driftText).join(", ")}`);
  }
  return { kind, args, rendered, adopted: known, pairs };
}

function render(kind: AnyRowKind, args: Properties): Rendered {
  try {
    return kind.render(accepted<unknown>(kind.schema, args) as never);
  } catch (error) {
    if (error instanceof ArgumentError) throw new Mismatch(error.message);
    throw error;
  }
}

function find(database: Database, rows: readonly ResolvedRow[]): Adopted {
  const sets = new Map<string, ReadonlySet<string>>();
  const inParent = ({ parent }: ResolvedRow): ReadonlySet<string> => {
    const key = `${parent?.uuid} ${parent?.column}`;
    const set = sets.get(key) ?? new Set(parent && elements(database.rows.get(parent.uuid)?.columns[parent.column]));
    sets.set(key, set);
    return set;
  };
  try {
    const found = matchRows(
      rows,
      rows.map((row) => candidates(database, row)),
      rows.map(inParent),
      database.schema,
    );
    return Object.fromEntries([...found].map(([{ source }, { uuid }]) => [adoptionKey(source.table, source.key), uuid]));
  } catch (error) {
    if (error instanceof RowError) throw new Mismatch(error.message);
    throw error;
  }
}

function candidates(database: Database, row: ResolvedRow): Candidate[] {
  const table = database.schema.table(row.table);
  const names = naturalKey(row.table)?.columns ?? [];
  const values = names.map((name) => (row.columns[name] === undefined ? undefined : toValue(table.column(name), row.columns[name])));
  return database.alike(row.table, values).map(({ uuid, columns }) => ({ uuid, live: columns }));
}
