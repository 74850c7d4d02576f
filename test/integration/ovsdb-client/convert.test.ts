import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { connect, type OvsdbClient } from "@pulumi-ovn/ovsdb-client";
import { relay, runProgram, standalone, type TestServer } from "../../support/ovsdb-server";
import { testSchema } from "../../support/ovsdb-schema";
import { until } from "../../support/until";

/** The test schema, with other columns of the table Few. */
const schemaWith = (columns: object, version: string) => ({ ...testSchema, version, tables: { ...testSchema.tables, Few: { isRoot: true, columns } } });
const NEWER = schemaWith({ name: { type: { key: "string", min: 0, max: "unlimited" } }, note: { type: "string" } }, "2.0.0");

async function convert(server: TestServer, schema: object): Promise<void> {
  const file = join(server.folder, "new.ovsschema");
  await writeFile(file, JSON.stringify(schema));
  await runProgram("ovsdb-client", ["convert", server.endpoint, file], server.folder);
}

let server: Awaited<ReturnType<typeof standalone>>;
let client: OvsdbClient;

describe.each([
  ["standalone", {}],
  ["clustered", { clustered: true }],
])("%s", (_name, options) => {
  beforeEach(async () => {
    server = await standalone(options);
    client = await connect(server.endpoint, { database: "Test", connectTimeout: 20_000, reconnect: { initialDelay: 10 } });
  });
  afterEach(async () => {
    await client.close();
    await server.remove();
  });

  test("reads the schema again after each conversion", async () => {
    const versions = [(await client.getSchema()).version];
    await convert(server, NEWER);
    versions.push((await client.getSchema()).version);
    await convert(server, schemaWith({ name: { type: "string" } }, "3.0.0"));
    versions.push((await client.getSchema()).version, (await client.getSchema()).table("Few").columns.size.toString());
    expect(versions).toEqual(["1.2.3", "2.0.0", "3.0.0", "1"]);
  });

  test("sends a call again that only reads and waits during the conversion", async () => {
    const rows = [{ name: "there" }];
    const waiting = client.transact([{ op: "wait", table: "Parent", where: [["name", "==", "there"]], columns: ["name"], until: "==", rows }]);
    await client.echo();
    await convert(server, NEWER);
    await client.transact([{ op: "insert", table: "Parent", row: { name: "there" } }]);
    expect(await waiting).toEqual([{}]);
  });
});

// A relay of a standalone server does not learn of a conversion itself (OVS 3.5).
describe.each([
  ["standalone", {}],
  ["clustered", { clustered: true }],
])("monitors: %s", (_name, options) => {
  let writer: OvsdbClient;
  beforeEach(async () => {
    server = await standalone(options);
    [client, writer] = await Promise.all(
      [0, 1].map(() => connect(server.endpoint, { database: "Test", connectTimeout: 20_000, reconnect: { initialDelay: 10 } })) as [
        Promise<OvsdbClient>,
        Promise<OvsdbClient>,
      ],
    );
  });
  afterEach(async () => {
    await Promise.all([client.close(), writer.close()]);
    await server.remove();
  });
  const few = (row: object) => writer.transact([{ op: "insert", table: "Few", row: row as never }]);
  const rows = (monitor: { table(name: "Few"): Iterable<{ toObject(): object }> }) =>
    [...monitor.table("Few")].map((row) => {
      const { _uuid, ...rest } = row.toObject() as Record<string, unknown>;
      return rest;
    });

  test("reads new rows with the new types, keeps old ones, and has later writes in the cache before they resolve", async () => {
    await few({ name: "first" });
    const monitor = await client.monitor({ Few: { columns: ["name"] } });
    const [old] = [...monitor.table("Few")];
    const told: unknown[] = [];
    monitor.subscribe({ changed: (changes) => told.push(...changes.map((change) => [change.old?.get("name"), change.new?.get("name")])) });
    await convert(server, NEWER);
    await client.transact([{ op: "insert", table: "Few", row: { name: ["set", ["b", "a"]] } }]);
    expect(rows(monitor)).toEqual([{ name: ["first"] }, { name: ["a", "b"] }]);
    expect([old!.get("name"), monitor.table("Few").schema.column("name").isSet]).toEqual(["first", true]);
    expect(told).toContainEqual(["first", ["first"]]);
    expect(monitor.current).toBe(true);
    monitor.cancel();
  });

  test("a monitor of all columns has the new number of columns", async () => {
    await few({ name: "one" });
    const monitor = await client.monitor({ Few: {} });
    await convert(server, NEWER);
    await until(() => "note" in (rows(monitor)[0] ?? {}));
    expect(rows(monitor)).toEqual([{ name: ["one"], note: "" }]);
    await few({ name: "two", note: "n" });
    await until(() => rows(monitor).length === 2);
    expect(rows(monitor)[1]).toEqual({ name: ["two"], note: "n" });
    await convert(server, schemaWith({ note: { type: "string" } }, "3.0.0"));
    await until(() => rows(monitor).length === 2 && !("name" in rows(monitor)[0]!));
    expect(
      rows(monitor)
        .map(({ note }) => note)
        .sort(),
    ).toEqual(["", "n"]);
    monitor.cancel();
  });

  test("indexes use their columns, also at another position", async () => {
    const two = (row: object) => writer.transact([{ op: "insert", table: "Few", row: row as never }]);
    const converted = (columns: object, version: string) => convert(server, schemaWith(columns, version));
    await converted({ label: { type: "string" }, name: { type: "string" } }, "2.0.0");
    await two({ label: "first", name: "same" });
    await two({ label: "second", name: "same" });
    const monitor = await client.monitor({ Few: {} });
    const labels = monitor.table("Few").index("label" as never);
    const label = (text: string) => labels.get(text as never).map((row) => row.get("name" as never));
    expect([label("first"), label("second"), label("same"), labels.size]).toEqual([["same"], ["same"], [], 2]);
    await converted({ added: { type: "string" }, label: { type: "string" }, name: { type: "string" } }, "3.0.0");
    await two({ label: "third", name: "third" });
    await until(() => label("third").length === 1);
    expect([label("first"), label("second"), label("same"), label(""), labels.size]).toEqual([["same"], ["same"], [], [], 3]);
    await writer.transact([{ op: "delete", table: "Few", where: [["label", "==", "first"]] }]);
    await until(() => monitor.table("Few").size === 2);
    expect([label("first"), labels.size]).toEqual([[], 2]);
    // The column is removed: no row has a value in it.
    await converted({ added: { type: "string" }, name: { type: "string" } }, "4.0.0");
    await until(() => [...monitor.table("Few")].every((row) => !("label" in row.toObject())));
    expect([label("second"), labels.size]).toEqual([[], 0]);
    expect(() => monitor.table("Few").index("label" as never)).toThrow("the server's table Few has no column label");
    monitor.cancel();
  });

  test("a column replaces another one with the same value", async () => {
    await few({ name: "" });
    const monitor = await client.monitor({ Few: {} });
    await convert(server, schemaWith({ note: { type: "string" } }, "2.0.0"));
    await until(() => "note" in rows(monitor)[0]!);
    expect(rows(monitor)).toEqual([{ note: "" }]);
    monitor.cancel();
  });

  test("a conversion during a lost connection: the new types are there after the reconnect", async () => {
    await few({ name: "first" });
    const monitor = await client.monitor({ Few: {} });
    await server.kill();
    await until(() => !client.connected);
    await server.start();
    await convert(server, NEWER);
    await until(() => monitor.current && rows(monitor).length === 1 && "note" in rows(monitor)[0]!);
    expect(rows(monitor)).toEqual([{ name: ["first"], note: "" }]);
    monitor.cancel();
  });

  test("a deleted column or table ends the monitors that name it, and no others", async () => {
    const named = await client.monitor({ Few: { columns: ["name"] }, Parent: {} });
    const other = await client.monitor({ Parent: {} });
    const failed: unknown[] = [];
    named.subscribe({ failed: (error) => failed.push([error.code, error.message]) });
    other.subscribe({ failed: (error) => failed.push(error) });
    await convert(server, schemaWith({ note: { type: "string" } }, "3.0.0"));
    await until(() => failed.length > 0);
    expect(failed).toEqual([["OVSDB_SCHEMA", "the server's table Few has no column name"]]);
    await writer.transact([{ op: "insert", table: "Parent", row: { name: "after" } }]);
    await until(() => other.table("Parent").size === 1);
    expect([named.current, other.current, named.table("Parent").size]).toEqual([false, true, 0]);
    other.cancel();
  });
});

test("a relay: the schema is read again after a conversion of its source", async () => {
  server = await standalone({ clustered: true });
  const between = await relay(server);
  try {
    client = await connect(between.endpoint, { database: "Test", connectTimeout: 20_000, reconnect: { initialDelay: 10 } });
    expect((await client.getSchema()).version).toBe("1.2.3");
    await convert(server, NEWER);
    await until(async () => (await client.getSchema()).version === "2.0.0");
  } finally {
    await client.close();
    await between.stop();
    await server.remove();
  }
});
