import { ArgumentError, type ColumnValue, type DesiredRow, type Reference, type Rendered, type RowKind, type ZoneArgs } from "@pulumi-ovn/provider";
import { validate } from "@pulumi-ovn/provider/testing";
import { checkAgainstSchema } from "./schema";

/** Checks the shape, fills in defaults and renders, like the engine. */
export function rendered<Args extends ZoneArgs>(kind: RowKind<Args>, args: unknown): Rendered {
  const failures = validate(kind.schema, args);
  if (failures.length > 0) throw new ArgumentError(failures);
  const result = kind.render(kind.schema.parse(args));
  expect(result.set.database).toBe(kind.database);
  expect(Object.keys(result.outputs ?? {}).sort()).toEqual([...kind.outputs].sort());
  for (const { table, key } of [...(result.primary ? [result.primary] : []), ...(result.exposes ?? [])]) {
    expect(result.set.rows.filter((row) => row.table === table && row.key === key)).toHaveLength(1);
  }
  const names = result.set.rows.map((row) => `${row.table} ${row.key}`);
  expect(new Set(names).size).toBe(names.length);
  checkAgainstSchema(result.set);
  return result;
}

/** Rows by table and key, in a form that is quick to write: references as text, maps as plain objects, `in` for the parent. */
export function rowsOf<Args extends ZoneArgs>(kind: RowKind<Args>, args: unknown): Record<string, unknown> {
  return Object.fromEntries(rendered(kind, args).set.rows.map((row) => [`${row.table} ${row.key}`, plain(row)]));
}

function plain(row: DesiredRow): unknown {
  const columns = Object.fromEntries(Object.entries(row.columns).map(([name, value]) => [name, plainValue(value)]));
  const parent = row.parent && { in: `${row.parent.table} ${reference(row.parent.row)} ${row.parent.column}` };
  const within = row.claims?.filter(({ betweenStacks }) => !betweenStacks) ?? [];
  const claims = within.length > 0 && {
    claims: within.map(({ table, column, key, value }) => `${table} ${column}${key === undefined ? "" : `:${key}`}=${value}`),
  };
  return { ...columns, ...parent, ...claims };
}

function plainValue(value: ColumnValue): unknown {
  if (Array.isArray(value)) return value.map((item) => plainValue(item as ColumnValue));
  if (typeof value !== "object" || value === null) return value;
  return "map" in value ? value.map : reference(value as Reference);
}

function reference(row: Reference): string {
  return "key" in row ? `<${row.key}>` : "uuid" in row ? row.uuid : row.name;
}
