import { rowsOf, select } from "../../../targets/select";
import { ask, type Query, type Source } from "../database/query";
import { managerOf } from "../marks/ownership";

/** A row as errors name it. */
export interface NamedRow {
  /** `Logical_Router_Port "x" (UUID) of urn:...`: enough to find the row and its owner. */
  readonly text: string;
  readonly manager?: string | undefined;
}

export async function namedRow(table: string, uuid: string, source: Source): Promise<NamedRow> {
  const [found] = await namedRows([{ table, uuid }], source);
  return found ?? { text: `${table} ${uuid}` };
}

/** Rows that the tables have, asked in one transaction. */
export async function namedRows(rows: readonly { readonly table: string; readonly uuid: string }[], source: Source): Promise<NamedRow[]> {
  const found = await ask<(NamedRow | undefined)[]>(source.client, source.call, ...rows.map(({ table, uuid }) => namedQuery(table, uuid, source)));
  return found.filter((row) => row !== undefined);
}

function namedQuery(table: string, uuid: string, { schema }: Source): Query<NamedRow | undefined> {
  const definition = schema.table(table);
  const columns = ["name", "external_ids"].filter((name) => definition.columns.has(name));
  return {
    operations: [select(table, [["_uuid", "==", ["uuid", uuid]]], [...columns, "_uuid"])],
    read([result]) {
      const [wire] = rowsOf(result);
      if (!wire) return undefined;
      const row = definition.decodeRow(wire);
      const name = typeof row.name === "string" && row.name !== "" ? `"${row.name}" ` : "";
      const manager = managerOf(row);
      return { manager, text: `${table} ${name}(${uuid}) ${manager === undefined ? "without an owner mark" : `of ${manager}`}` };
    },
  };
}
