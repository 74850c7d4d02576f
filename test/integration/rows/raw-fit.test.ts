import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { binaries } from "@pulumi-ovn/sandbox";
import { oldNorthbound } from "../../support/old-schema";
import { runProgram, standalone, temporaryFolder } from "../../support/ovsdb-server";
import { disconnect, failuresOf } from "../../support/provider";

interface Schema {
  version: string;
  cksum?: string;
  tables: Record<string, { columns: Record<string, { type: unknown }> }>;
}

/** A Northbound database as a newer release may have it: a further choice, a further column, and a number where a text was. */
async function newerNorthbound() {
  const schema = JSON.parse(await readFile((await binaries()).schema("ovn-nb.ovsschema"), "utf8")) as Schema;
  const { columns } = schema.tables["ACL"]!;
  columns["action"] = { type: { key: { type: "string", enum: ["set", ["allow", "mirror", "rejects"]] } } };
  columns["evpn"] = { type: "boolean" };
  columns["match"] = { type: "integer" };
  delete schema.cksum;
  const folder = await temporaryFolder();
  const file = join(folder, "ovn-nb.ovsschema");
  await writeFile(file, JSON.stringify({ ...schema, version: "99.0.0" }));
  const server = await standalone({ schema: file });
  await rm(folder, { recursive: true });
  await runProgram("ovn-nbctl", [`--db=${server.endpoint}`, "init"], server.folder);
  return server;
}

let newer: Awaited<ReturnType<typeof newerNorthbound>>;
let older: typeof newer;
beforeAll(async () => {
  newer = await newerNorthbound();
  older = await oldNorthbound("7.0.0", ["Mirror", "Logical_Switch_Port.mirror_rules", "ACL.tier"]);
});
afterAll(async () => {
  await disconnect();
  await newer?.remove();
  await older?.remove();
});

/** Columns that a row must have. */
const REQUIRED: Readonly<Record<string, object>> = { ACL: { action: "allow", direction: "to-lport" }, Mirror: { filter: "to-lport", type: "gre" } };
const refused = (columns: object, zone = "newer", table = "ACL") =>
  failuresOf(
    "NorthboundRows",
    { zone, entries: { a: { table, columns: { ...REQUIRED[table], ...columns } } } },
    { newer: { northbound: newer.endpoint }, older: { northbound: older.endpoint } },
  );

it.each([
  ["a choice", { action: "mirror" }],
  ["a choice that looks like a typo of one that is known", { action: "rejects", evpn: false }],
  ["a column", { evpn: true }],
  ["a value of another type", { match: 5 }],
])("accepts %s of the zone's own schema", async (_what, columns) => {
  const warned = jest.spyOn(console, "warn").mockImplementation(() => undefined);
  const write = jest.spyOn(process.stderr, "write").mockImplementation(() => true);
  expect(await refused(columns)).toEqual([]);
  expect([warned.mock.calls, write.mock.calls]).toEqual([[], []]);
  jest.restoreAllMocks();
});

it("refuses all names that the zone's own schema lacks, once one is unknown", async () => {
  expect(await refused({ evpn: "yes", priority: -1, action: "reject", wanted: 1 })).toEqual([
    'entries.a.columns.action: ACL.action: "reject" is not one of "allow", "mirror", "rejects" [column-value]',
    'entries.a.columns.evpn: ACL.evpn: "yes" is not a boolean [column-value]',
    "entries.a.columns.priority: ACL.priority: -1 is not 0 to 32767 [column-value]",
    'entries.a.columns.wanted: table ACL has no column "wanted" [unknown-column]',
  ]);
  expect(await refused({ action: "mirror" }, "older")).toEqual([expect.stringMatching(/^entries\.a\.columns\.action: ACL\.action: "mirror" is not one of /)]);
  expect(await refused({ tier: 7 }, "older")).toEqual([expect.stringMatching(/^entries\.a\.columns\.tier: table ACL has no column "tier"/)]);
});

it("reads no database for known names", async () => {
  expect(await refused({ tier: 1 }, "older")).toEqual([]);
  expect(await refused({ name: "m" }, "older", "Mirror")).toEqual([]);
});
