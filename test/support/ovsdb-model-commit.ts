import type { ColumnSchema, DatabaseSchema, Row, Value } from "@pulumi-ovn/ovsdb-client";

/** Rows by UUID, by table; a row is never changed in place. */
export type Contents = ReadonlyMap<string, ReadonlyMap<string, Row>>;

type Refuse = (error: string, details: string) => never;
type Reference = readonly [table: string, uuid: string, column: ColumnSchema];

/** Contents after a commit: garbage collected, references and indexes checked. */
export function settle(schema: DatabaseSchema, contents: Contents, before: Contents, refuse: Refuse): Contents {
  const collected = collect(schema, contents);
  for (const [table, uuid, column] of references(schema, collected, "strong")) {
    for (const target of uuidsOf(collected.get(table)!.get(uuid)![column.name]!)) {
      if (!collected.get(column.type.key.refTable!)!.has(target))
        refuse(
          "referential integrity violation",
          `Table ${table} column ${column.name} row ${uuid} references nonexistent row ${target} in table ${column.type.key.refTable}.`,
        );
    }
  }
  const settled = withoutDangling(schema, collected);
  for (const [name, rows] of settled) {
    for (const index of schema.table(name).indexes) {
      const seen = new Map<string, string>();
      for (const [uuid, row] of rows) {
        const key = JSON.stringify(index.map((column) => row[column]));
        const other = seen.get(key);
        if (other !== undefined) {
          const [first, second] = before.get(name)!.has(other) ? [uuid, other] : [other, uuid];
          const existed = before.get(name)!.has(second)
            ? "existed in the database before this transaction and was not modified by the transaction"
            : "was inserted by this transaction";
          refuse(
            "constraint violation",
            `Transaction causes multiple rows in "${name}" table to have identical values (${index.map((column) => String(row[column])).join(", ")}) for index on column "${index.join(", ")}".  First row, with UUID ${first}, was inserted by this transaction.  Second row, with UUID ${second}, ${existed}.`,
          );
        }
        seen.set(key, uuid);
      }
    }
  }
  return settled;
}

/** Deletes rows of non-root tables without strong references; rings stay. */
function collect(schema: DatabaseSchema, contents: Contents): Contents {
  const left = new Map([...contents].map(([name, rows]) => [name, new Map(rows)]));
  for (let again = true; again; ) {
    again = false;
    const held = new Set(
      references(schema, left, "strong").flatMap(([table, uuid, column]) =>
        uuidsOf(left.get(table)!.get(uuid)![column.name]!).map((target) => `${column.type.key.refTable} ${target}`),
      ),
    );
    for (const [name, rows] of left) {
      if (schema.table(name).isRoot) continue;
      for (const uuid of [...rows.keys()]) if (!held.has(`${name} ${uuid}`)) again = rows.delete(uuid);
    }
  }
  return left;
}

function withoutDangling(schema: DatabaseSchema, contents: Contents): Contents {
  const left = new Map([...contents].map(([name, rows]) => [name, new Map(rows)]));
  for (const [table, uuid, column] of references(schema, contents, "weak")) {
    const row = left.get(table)!.get(uuid)!;
    const targets = left.get(column.type.key.refTable!)!;
    const value = row[column.name]!;
    const kept: Value = Array.isArray(value) ? value.filter((target) => targets.has(String(target))) : targets.has(String(value)) ? value : null;
    left.get(table)!.set(uuid, { ...row, [column.name]: kept } satisfies Row);
  }
  return left;
}

function references(schema: DatabaseSchema, contents: Contents, kind: "strong" | "weak"): Reference[] {
  return [...contents].flatMap(([table, rows]) => {
    const columns = [...schema.table(table).columns.values()].filter(
      ({ type }) => type.key.refTable !== undefined && (type.key.refType === "weak") === (kind === "weak"),
    );
    return [...rows.keys()].flatMap((uuid) => columns.map((column): Reference => [table, uuid, column]));
  });
}

function uuidsOf(value: Value): string[] {
  return Array.isArray(value) ? value.map(String) : value === null ? [] : [String(value)];
}
