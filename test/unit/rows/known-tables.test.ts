import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { KNOWN_TABLES } from "../../../provider/rows/known-tables";

const root = join(__dirname, "../../..");
const file = join(root, "provider/rows/known-tables.ts");
const FILES = { OVN_Northbound: "ovn-northbound", OVN_Southbound: "ovn-southbound", Open_vSwitch: "open-vswitch" } as const;

/** What the types of a database say of its tables. */
function declared(name: string) {
  const text = readFileSync(join(root, "ovsdb-client/databases", `${name}.ts`), "utf8");
  const tables = [...text.matchAll(/^ {2}interface (\w+) \{\n(.*?)\n {2}\}$/gms)].map(([, table, body]) => [
    table!,
    [...body!.matchAll(/^ {4}readonly (\w+):/gm)].flatMap(([, column]) => (column!.startsWith("_") ? [] : [column!])).join(" "),
  ]);
  return { version: /from the schema of \S+ (\S+)\. /.exec(text)![1]!, tables: Object.fromEntries(tables) as Record<string, string> };
}

it("has the tables and columns of the client's schemas", () => {
  const all = Object.fromEntries(Object.entries(FILES).map(([database, name]) => [database, declared(name)]));
  if (process.env["UPDATE_KNOWN_TABLES"] !== undefined) {
    const text = readFileSync(file, "utf8");
    writeFileSync(file, `${text.slice(0, text.indexOf("= {\n"))}= ${JSON.stringify(all)};\n`);
  } else expect(KNOWN_TABLES).toEqual(all);
  expect(Object.keys(all["OVN_Northbound"]!.tables)).toContain("Logical_Router_Static_Route");
  expect(all["Open_vSwitch"]!.tables["Interface"]!.split(" ")).toContain("ofport_request");
});
