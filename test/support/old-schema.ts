import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { binaries } from "../../sandbox";
import { type TestServer, runProgram, standalone, temporaryFolder } from "./ovsdb-server";

interface Schema {
  version: string;
  cksum?: string;
  tables: Record<string, { columns: Record<string, unknown> }>;
}

/** A Northbound database as an older release of OVN has it: without these columns (`Table.column`) and tables (`Table`). */
export async function oldNorthbound(version: string, without: readonly string[]): Promise<TestServer & { remove(): Promise<void> }> {
  const schema = JSON.parse(await readFile((await binaries()).schema("ovn-nb.ovsschema"), "utf8")) as Schema;
  for (const name of without) {
    const [table, column] = name.split(".") as [string, string?];
    if (column === undefined) delete schema.tables[table];
    else delete schema.tables[table]!.columns[column];
  }
  delete schema.cksum;
  const file = join(await temporaryFolder(), "nb.ovsschema");
  await writeFile(file, JSON.stringify({ ...schema, version }));
  const server = await standalone({ schema: file });
  await runProgram("ovn-nbctl", [`--db=${server.endpoint}`, "init"], server.folder);
  return server;
}
