import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { connect, type OvsdbClient } from "@pulumi-ovn/ovsdb-client";
import { relay, runProgram, standalone, type TestServer } from "../../support/ovsdb-server";
import { testSchema } from "../../support/ovsdb-schema";

/** The test schema, with other columns of the table Few. */
const schemaWith = (columns: object, version: string) => ({ ...testSchema, version, tables: { ...testSchema.tables, Few: { isRoot: true, columns } } });
const NEWER = schemaWith({ name: { type: { key: "string", min: 0, max: "unlimited" } }, note: { type: "string" } }, "2.0.0");

async function convert(server: TestServer, schema: object): Promise<void> {
  const file = join(server.folder, "new.ovsschema");
  await writeFile(file, JSON.stringify(schema));
  await runProgram("ovsdb-client", ["convert", server.endpoint, file], server.folder);
}
const until = async (check: () => boolean | Promise<boolean>) => {
  while (!(await check())) await new Promise((resolve) => setTimeout(resolve, 5));
};

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

  test("the schema is read again after a conversion, each time", async () => {
    const versions = [(await client.getSchema()).version];
    await convert(server, NEWER);
    versions.push((await client.getSchema()).version);
    await convert(server, schemaWith({ name: { type: "string" } }, "3.0.0"));
    versions.push((await client.getSchema()).version, (await client.getSchema()).table("Few").columns.size.toString());
    expect(versions).toEqual(["1.2.3", "2.0.0", "3.0.0", "1"]);
  });
});

// A relay of a standalone server does not learn of a conversion itself (OVS 3.5).
test("a relay: the schema is read again when its source was converted", async () => {
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
