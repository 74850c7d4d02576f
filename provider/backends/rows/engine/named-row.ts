import { rowsOf, select } from "../../../targets/select";
import type { Source } from "../database/query";
import { managerOf } from "../marks/ownership";

/** A row as errors name it. */
export interface NamedRow {
  /** `Logical_Router_Port "x" (UUID) of urn:...`: enough to find the row and its owner. */
  readonly text: string;
  readonly manager?: string | undefined;
}

export async function namedRow(table: string, uuid: string, source: Source): Promise<NamedRow> {
  return (await findRow(table, uuid, source)) ?? { text: `${table} ${uuid}` };
}

/** Undefined if the table does not have the row. */
export async function findRow(table: string, uuid: string, { client, schema, call }: Source): Promise<NamedRow | undefined> {
  const definition = schema.table(table);
  const columns = ["name", "external_ids"].filter((name) => definition.columns.has(name));
  const [result] = await client.transact([select(table, [["_uuid", "==", ["uuid", uuid]]], [...columns, "_uuid"])], call);
  const wire = rowsOf(result)[0];
  if (!wire) return undefined;
  const row = definition.decodeRow(wire);
  const name = typeof row.name === "string" && row.name !== "" ? `"${row.name}" ` : "";
  const manager = managerOf(row);
  return { manager, text: `${table} ${name}(${uuid}) ${manager === undefined ? "without an owner mark" : `of ${manager}`}` };
}
