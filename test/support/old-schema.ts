import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { binaries, type SchemaName } from "@pulumi-ovn/sandbox";
import { type TestServer, runProgram, standalone, temporaryFolder } from "./ovsdb-server";

interface Schema {
  version: string;
  cksum?: string;
  tables: Record<string, { columns: Record<string, unknown> }>;
}

/** A schema file as an older release of OVN has it: without these columns (`Table.column`) and tables (`Table`). */
export async function oldSchema(name: SchemaName, version: string, without: readonly string[]): Promise<{ readonly file: string; remove(): Promise<void> }> {
  const schema = JSON.parse(await readFile((await binaries()).schema(name), "utf8")) as Schema;
  for (const path of without) {
    const [table, column] = path.split(".") as [string, string?];
    if (column === undefined) delete schema.tables[table];
    else delete schema.tables[table]!.columns[column];
  }
  delete schema.cksum;
  const folder = await temporaryFolder();
  const file = join(folder, name);
  await writeFile(file, JSON.stringify({ ...schema, version }));
  return { file, remove: () => rm(folder, { recursive: true }) };
}

/** A Northbound database as an older release of OVN has it. */
export async function oldNorthbound(version: string, without: readonly string[]): Promise<TestServer & { remove(): Promise<void> }> {
  const schema = await oldSchema("ovn-nb.ovsschema", version, without);
  const server = await standalone({ schema: schema.file });
  await schema.remove();
  await runProgram("ovn-nbctl", [`--db=${server.endpoint}`, "init"], server.folder);
  return server;
}
