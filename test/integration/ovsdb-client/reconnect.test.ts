import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { connect, type OvsdbClient, type OvsdbError, type WireRow } from "@pulumi-ovn/ovsdb-client";
import { failure } from "../../support/failure";
import { testSchema } from "../../support/ovsdb-schema";
import { runProgram, standalone } from "../../support/ovsdb-server";

let server: Awaited<ReturnType<typeof standalone>>;
let client: OvsdbClient;

beforeEach(async () => {
  server = await standalone();
  client = await connect(server.endpoint, { database: "Test", probeInterval: 100, reconnect: { initialDelay: 10, maxDelay: 50 } });
});
afterEach(async () => {
  await client.close();
  await server.remove();
});

const insert = (name: string, timeout?: number) => client.transact([{ op: "insert", table: "Parent", row: { name } }], { timeout });
const names = async () => {
  const [{ rows }] = await client.transact([{ op: "select", table: "Parent", where: [], columns: ["name"] }]);
  return rows.map((row: WireRow) => row["name"]);
};

test("kill -9 and restart under load: confirmed writes exist once, unknown ones at most once", async () => {
  const outcomes = { done: [] as string[], unknown: [] as string[], unsent: [] as string[] };
  let stop = false;
  const writer = async (id: number) => {
    for (let turn = 0; !stop; turn++) {
      const name = `${id}-${turn}`;
      await insert(name, 500).then(
        () => outcomes.done.push(name),
        (error: OvsdbError) => (error.code === "OVSDB_OUTCOME_UNKNOWN" ? outcomes.unknown.push(name) : outcomes.unsent.push(error.code)),
      );
    }
  };
  const writers = Array.from({ length: 8 }, (_, id) => writer(id));
  for (let round = 0; round < 3; round++) {
    const before = outcomes.done.length;
    while (outcomes.done.length < before + 50) await sleep(5);
    await server.kill();
    await server.start();
  }
  const before = outcomes.done.length;
  while (outcomes.done.length < before + 50) await sleep(5);
  stop = true;
  await Promise.all(writers);
  const found = await names();
  expect(new Set(found).size).toBe(found.length);
  expect(outcomes.done.filter((name) => !found.includes(name))).toEqual([]);
  expect(found.filter((name) => !outcomes.done.includes(name as string) && !outcomes.unknown.includes(name as string))).toEqual([]);
  expect(outcomes.unsent.filter((code) => code !== "OVSDB_CONNECTION")).toEqual([]);
  expect(outcomes.unknown.length).toBeLessThanOrEqual(3 * 8);
});

test("calls made while the server is down are sent when it is back", async () => {
  await server.kill();
  // A write that went out before the client knew is another matter: its outcome is unknown.
  while (client.connected) await sleep(1);
  const calls = [insert("a"), insert("b"), names()];
  await sleep(50);
  await server.start();
  expect((await Promise.all(calls))[2]).toEqual(expect.arrayContaining(["a", "b"]));
});

test("the schema is read again on another connection, and is the same object if it is equal", async () => {
  const schema = await client.getSchema();
  await server.kill();
  await server.start();
  await client.echo();
  expect(await client.getSchema()).toBe(schema);
  await server.kill();
  const newer = join(server.folder, "newer.ovsschema");
  await writeFile(newer, JSON.stringify({ ...testSchema, version: "2.0.0" }));
  await runProgram("ovsdb-tool", ["convert", join(server.folder, "db.db"), newer], server.folder);
  await server.start();
  await client.echo();
  expect((await client.getSchema()).version).toBe("2.0.0");
});

test("a stopped server is abandoned, and found again", async () => {
  server.freeze(true);
  const error = await failure(insert("frozen"));
  expect([error.code, error.message]).toEqual([
    "OVSDB_OUTCOME_UNKNOWN",
    `transact was sent, and no reply came: ${server.endpoint}: no sign of life within 200 ms`,
  ]);
  expect((await failure(insert("unsent", 100))).code).toBe("OVSDB_CONNECTION");
  server.freeze(false);
  await insert("after");
  expect(await names()).toContain("after");
});
