import { type DatabaseSchema, parseSchema } from "@pulumi-ovn/ovsdb-client";
import { KNOWN_TABLES } from "./known-tables";
import type { DatabaseName } from "../../../targets/database";

const read = new Map<DatabaseName, DatabaseSchema>();

/** Schema of a database in the release that this package knows: tables and columns without asking a server. */
export function knownSchema(database: DatabaseName): DatabaseSchema {
  const before = read.get(database);
  if (before !== undefined) return before;
  const { version, types, tables } = KNOWN_TABLES[database];
  const columnsOf = (text: string) =>
    Object.fromEntries(
      text.split(" ").map((column) => {
        const [name, type] = column.split(":");
        return [name, { type: types[Number(type)] }];
      }),
    );
  const schema = parseSchema({
    name: database,
    version,
    tables: Object.fromEntries(Object.entries(tables).map(([table, text]) => [table, { columns: columnsOf(text) }])),
  });
  read.set(database, schema);
  return schema;
}
