import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { KNOWN_TABLES, knownSchema } from "@pulumi-ovn/provider/testing";
import { binaries } from "@pulumi-ovn/sandbox";

const file = join(__dirname, "../../../provider/backends/rows/database/known-tables.ts");
const FILES = { OVN_Northbound: "ovn-nb.ovsschema", OVN_Southbound: "ovn-sb.ovsschema", Open_vSwitch: "vswitch.ovsschema" } as const;

/** A schema (RFC 7047 3.2) as the generated file has it. */
interface Schema {
  readonly version: string;
  readonly tables: Readonly<Record<string, { readonly columns: Readonly<Record<string, { readonly type: unknown }>> }>>;
}

function compact({ version, tables }: Schema) {
  const types: string[] = [];
  const numberOf = (type: string) => (types.includes(type) ? types.indexOf(type) : types.push(type) - 1);
  const sorted = <T>(entries: Readonly<Record<string, T>>) => Object.entries(entries).sort(([a], [b]) => (a < b ? -1 : 1));
  const columns = sorted(tables).map(
    ([table, { columns: own }]) => [table, sorted(own).map(([column, { type }]) => `${column}:${numberOf(JSON.stringify(type))}`)] as const,
  );
  return {
    version,
    types: types.map((type) => JSON.parse(type) as unknown),
    tables: Object.fromEntries(columns.map(([table, texts]) => [table, texts.join(" ")])),
  };
}

it("has the tables, columns and types of OVN's schemas", async () => {
  const programs = await binaries();
  const all = Object.fromEntries(
    Object.entries(FILES).map(([database, name]) => [database, compact(JSON.parse(readFileSync(programs.schema(name), "utf8")) as Schema)]),
  );
  if (process.env["UPDATE_KNOWN_TABLES"] !== undefined) {
    const text = readFileSync(file, "utf8");
    writeFileSync(file, `${text.slice(0, text.indexOf("= {\n"))}= ${JSON.stringify(all)};\n`);
    return;
  }
  for (const [database, known] of Object.entries(KNOWN_TABLES)) {
    // A machine with an OVN of its own may have another release than the file is generated from.
    if (known.version === all[database]!.version) expect({ [database]: known }).toEqual({ [database]: all[database] });
  }
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
