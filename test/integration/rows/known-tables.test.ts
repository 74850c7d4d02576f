import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { KNOWN_TABLES } from "../../../provider/backends/rows/database/known-tables";
import { knownSchema } from "../../../provider/backends/rows/database/known-schema";

const root = join(__dirname, "../../..");
const file = join(root, "provider/backends/rows/database/known-tables.ts");
const FILES = { OVN_Northbound: "ovn-northbound", OVN_Southbound: "ovn-southbound", Open_vSwitch: "open-vswitch" } as const;

/** Tables in the types of a database. */
function declared(name: string) {
  const text = readFileSync(join(root, "ovsdb-client/databases", `${name}.ts`), "utf8");
  const types: string[] = [];
  const numberOf = (type: string) => (types.includes(type) ? types.indexOf(type) : types.push(type) - 1);
  const tables = [...text.matchAll(/^ {2}interface (\w+) \{\n(.*?)\n {2}\}$/gms)].map(([, table, body]) => [
    table!,
    [...body!.matchAll(/^(?: {4}\/\*\* ([^\n]*) \*\/\n)? {4}readonly ([a-z]\w*): ([^;]*);$/gm)]
      .map(([, notes = "", column, type]) => `${column}:${numberOf(JSON.stringify(typeOf(type!, notes)))}`)
      .join(" "),
  ]);
  const version = /from the schema of \S+ (\S+)\. /.exec(text)![1]!;
  return { version, types: types.map((type) => JSON.parse(type) as unknown), tables: Object.fromEntries(tables) as Record<string, string> };
}

/** A column's `<type>` of RFC 7047 3.2. */
function typeOf(text: string, notes: string): unknown {
  const [, keyType, valueType] = /^ReadonlyMap<(.*), (.*)>$/.exec(text) ?? [];
  const sizes = /(\d+) to (\d+) (?:elements|pairs)\./.exec(notes);
  const limits = notes.replace(sizes?.[0] ?? "", "");
  const [least, most] = [notes.includes("Never empty") ? 1 : Number(sizes?.[1] ?? 0), sizes ? Number(sizes[2]) : "unlimited"];
  if (keyType !== undefined) return { key: base(keyType, after("Keys: ", limits)), value: base(valueType!, after("Values: ", limits)), min: least, max: most };
  if (text.endsWith(" | null")) return { key: base(text.replace(" | null", ""), limits), min: 0, max: 1 };
  const [, inner] = /^readonly \(?(.*?)\)?\[\]$/.exec(text) ?? [];
  const key = base(inner ?? text, limits);
  if (inner === undefined) return typeof key === "string" ? key : { key };
  return { key, min: least, max: most };
}

const after = (label: string, notes: string) => (notes.includes(label) ? notes.slice(notes.indexOf(label) + label.length).split(".")[0]! : "");

function base(text: string, limits: string): unknown {
  if (text.startsWith('"')) return { type: "string", enum: ["set", text.split(" | ").map((word) => JSON.parse(word) as string)] };
  if (text === "boolean") return text;
  const [, refTable] = /^Uuid(?:<"(\w+)">)?$/.exec(text) ?? [];
  if (text.startsWith("Uuid")) return refTable === undefined ? "uuid" : { type: "uuid", refTable };
  if (text === "string") return /At most (\d+) characters/.test(limits) ? { type: "string", maxLength: Number(/\d+/.exec(limits)![0]) } : "string";
  expect(text).toMatch(/^(number|Integer)$/);
  const [, least, most] = /(-?\d+) to (-?\d+)/.exec(limits) ?? [undefined, /[Aa]t least (-?\d+)/.exec(limits)?.[1], /[Aa]t most (-?\d+)/.exec(limits)?.[1]];
  return { type: "integer", ...(least !== undefined && { minInteger: Number(least) }), ...(most !== undefined && { maxInteger: Number(most) }) };
}

it("has the tables, columns and types of the client's schemas", () => {
  const all = Object.fromEntries(Object.entries(FILES).map(([database, name]) => [database, declared(name)]));
  if (process.env["UPDATE_KNOWN_TABLES"] !== undefined) {
    const text = readFileSync(file, "utf8");
    writeFileSync(file, `${text.slice(0, text.indexOf("= {\n"))}= ${JSON.stringify(all)};\n`);
  } else expect(KNOWN_TABLES).toEqual(all);
});

it.each([
  ["OVN_Northbound", "ACL", "priority", { key: { type: "integer", minInteger: 0, maxInteger: 32767 }, min: 1, max: 1 }],
  ["OVN_Northbound", "ACL", "direction", { key: { type: "string", enum: ["from-lport", "to-lport"] }, min: 1, max: 1 }],
  ["OVN_Northbound", "ACL", "name", { key: { type: "string", maxLength: 63 }, min: 0, max: 1 }],
  ["OVN_Northbound", "ACL", "external_ids", { key: { type: "string" }, value: { type: "string" }, min: 0, max: Infinity }],
  ["OVN_Northbound", "BFD", "detect_mult", { key: { type: "integer", minInteger: 1 }, min: 0, max: 1 }],
  ["OVN_Northbound", "Logical_Switch", "acls", { key: { type: "uuid", refTable: "ACL", refType: "strong" }, min: 0, max: Infinity }],
  ["OVN_Northbound", "QoS", "bandwidth", { value: { type: "integer", minInteger: 1, maxInteger: 4294967295 } }],
  ["OVN_Northbound", "Meter", "bands", { min: 1, max: Infinity }],
  ["OVN_Northbound", "NB_Global", "nb_cfg", { key: { type: "integer" }, min: 1, max: 1 }],
  ["Open_vSwitch", "Port", "trunks", { key: { type: "integer", minInteger: 0, maxInteger: 4095 }, min: 0, max: 4096 }],
  ["Open_vSwitch", "Bridge", "flow_tables", { key: { type: "integer", minInteger: 0, maxInteger: 254 }, value: { type: "uuid", refTable: "Flow_Table" } }],
  ["Open_vSwitch", "QoS", "queues", { key: { type: "integer", minInteger: 0, maxInteger: 4294967295 } }],
] as const)("reads %s %s.%s as the server says it", (database, table, column, type) => {
  expect(knownSchema(database).table(table).column(column).type).toMatchObject(type);
});
