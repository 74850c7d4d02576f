import type { CallOptions, Condition, DatabaseSchema, Operation, OvsdbClient } from "@pulumi-ovn/ovsdb-client";
import { OWNER_KEY } from "./identity";
import { childColumns } from "./live";
import { rowsOf, select } from "./observe";
import type { Step } from "./plan";
import type { ResolvedRow } from "./resolve";

/**
 * Rows with the resource's own mark that neither of its versions has: an update was interrupted after it was written
 * and before it was known, and the program has changed since. Found by the mark, which the server looks for in whole
 * tables: so only removals, and writes after an assumption failed, do it.
 */
export async function strays(
  client: OvsdbClient,
  schema: DatabaseSchema,
  owner: string,
  known: readonly ResolvedRow[],
  call: CallOptions,
): Promise<Map<string, readonly string[]>> {
  const tables = likelyTables(schema, known).filter((table) => schema.table(table).columns.has("external_ids"));
  if (tables.length === 0) return new Map();
  const results = await client.transact(tables.map((table) => select(table, [marked(owner)], ["_uuid"])), call);
  const own = new Set(known.map(({ uuid }) => uuid));
  return new Map(
    tables.map((table, index) => {
      const uuids = rowsOf(results[index]).map(({ _uuid }) => (_uuid as readonly ["uuid", string])[1]);
      return [table, uuids.filter((uuid) => !own.has(uuid))];
    }),
  );
}

/** Tables of the rows, and of all that can be inside of them or of their parents: another version may have had rows there. */
function likelyTables(schema: DatabaseSchema, known: readonly ResolvedRow[]): string[] {
  const own = new Set(known.map(({ table }) => table));
  const holders = new Set([...own, ...known.flatMap(({ parent }) => parent?.table ?? [])]);
  const inside = [...holders].flatMap((name) => {
    const table = schema.table(name);
    return childColumns(schema, table).map((column) => table.column(column).type.key.refTable!);
  });
  return [...new Set([...own, ...inside])];
}

/** Takes them out of every set that holds them, then away. */
export function strayRemovals(schema: DatabaseSchema, owner: string, found: ReadonlyMap<string, readonly string[]>): Step[] {
  return [...found].flatMap(([table, uuids]) => {
    const holders = holdersOf(schema, table);
    return uuids.flatMap((uuid): Operation[] => [
      ...holders.map(([holder, column]): Operation => {
        const members = ["set", [["uuid", uuid]]] as const;
        return { op: "mutate", table: holder, where: [[column, "includes", members]], mutations: [[column, "delete", members]] };
      }),
      { op: "delete", table, where: [["_uuid", "==", ["uuid", uuid]], marked(owner)] },
    ]);
  }).map((operation) => ({ operation, subject: { kind: "comment" } }));
}

function marked(owner: string): Condition {
  return ["external_ids", "includes", ["map", [[OWNER_KEY, owner]]]];
}

/** Set columns that may refer to rows of the table. */
function holdersOf(schema: DatabaseSchema, table: string): (readonly [table: string, column: string])[] {
  return [...schema.tables.values()].flatMap((holder) =>
    [...holder.columns.values()].filter((column) => column.isSet && column.type.key.refTable === table).map(({ name }) => [holder.name, name] as const),
  );
}
