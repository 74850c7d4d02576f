import { randomUUID } from "node:crypto";
import {
  connect,
  NamedUuid,
  type DatabaseSchema,
  type Operation,
  type OperationError,
  type OvsdbClient,
  type OvsdbError,
  type WireRow,
} from "@pulumi-ovn/ovsdb-client";
import { failure } from "../../support/failure";
import { standalone } from "../../support/ovsdb-server";

let server: Awaited<ReturnType<typeof standalone>>;
let client: OvsdbClient;
let schema: DatabaseSchema;

beforeAll(async () => {
  server = await standalone();
  client = await connect(server.endpoint, { database: "Test", since: (table, column) => (column === "later" || table === "Later" ? "OVN 99" : undefined) });
  schema = await client.getSchema();
});
afterAll(async () => {
  await client.close();
  await server.remove();
});

const types = (row: Parameters<ReturnType<DatabaseSchema["table"]>["encodeRow"]>[0]): WireRow => schema.table("Types").encodeRow(row);
const byName = (name: string) => [["name", "==", name]] as const;
const refused = async (...operations: Operation[]) => {
  const { code, error, operationIndex } = await failure<OperationError>(client.transact(operations));
  return [code, error, operationIndex];
};
const parent = (name: string, more: WireRow = {}): Operation => ({ op: "insert", table: "Parent", row: { name, ...more } });

describe("operations on a real server", () => {
  test("every type is written and read unchanged", async () => {
    const row = {
      name: 'all é\u{1F600}"\\\u0001',
      truth: true,
      count: -(2n ** 63n),
      ratio: 0.1,
      id: randomUUID(),
      maybe_count: null,
      maybe_name: "x",
      maybe_id: randomUUID(),
      names: ["a", "b"],
      counts: [1, 2, 2n ** 53n],
      ratios: [0.5],
      ids: [randomUUID()],
      pair: [7],
      options: new Map([["k", "v"]]),
      weights: new Map([[1, 0.25]]),
      color: "red",
      percent: 100,
      short: "\u{1F600}\u{1F600}\u{1F600}",
      fixed: "f",
      passing: "p",
    };
    const [{ uuid }, { rows }] = await client.transact([
      { op: "insert", table: "Types", row: types(row) },
      { op: "select", table: "Types", where: byName(row.name) },
    ]);
    expect(schema.table("Types").decodeRow(rows[0]!)).toEqual({ ...row, _uuid: uuid[1], _version: expect.any(String) });
  });

  test("insert, update, mutate, select, delete, comment, commit: results in order", async () => {
    const where = byName("ops");
    const results = await client.transact([
      { op: "insert", table: "Types", row: types({ name: "ops", color: "green", pair: 1 }) },
      { op: "comment", comment: "test" },
      { op: "update", table: "Types", where, row: types({ names: ["x"] }) },
      {
        op: "mutate",
        table: "Types",
        where,
        mutations: [
          ["count", "+=", 5],
          ["names", "insert", ["set", ["y"]]],
          ["options", "insert", ["map", [["a", "1"]]]],
        ],
      },
      { op: "select", table: "Types", where, columns: ["count", "names", "options"] },
      { op: "delete", table: "Types", where },
      { op: "select", table: "Types", where },
      { op: "commit", durable: true },
    ]);
    expect(results.slice(1)).toEqual([
      {},
      { count: 1 },
      { count: 1 },
      { rows: [{ count: 5, names: ["set", ["x", "y"]], options: ["map", [["a", "1"]]] }] },
      { count: 1 },
      { rows: [] },
      {},
    ]);
  });

  test("insert with a given UUID: a second one is an error", async () => {
    const uuid = randomUUID();
    const insert: Operation = { op: "insert", table: "Parent", uuid, row: { name: uuid } };
    expect(await client.transact([insert])).toEqual([{ uuid: ["uuid", uuid] }]);
    expect(await refused(insert)).toEqual(["OVSDB_OPERATION", "duplicate uuid", 0]);
    expect(await client.transact([{ op: "delete", table: "Parent", where: [["_uuid", "==", ["uuid", uuid]]] }])).toEqual([{ count: 1 }]);
    expect(await client.transact([insert])).toEqual([{ uuid: ["uuid", uuid] }]);
  });

  test("named UUIDs", async () => {
    const table = schema.table("Parent");
    const [child, { uuid }] = await client.transact([
      { op: "insert", table: "Child", "uuid-name": "kid", row: { name: "kid" } },
      { op: "insert", table: "Parent", row: table.encodeRow({ name: "named", children: [new NamedUuid("kid")] }) },
    ]);
    const [{ rows }] = await client.transact([{ op: "select", table: "Parent", where: [["_uuid", "==", uuid]], columns: ["children"] }]);
    expect(table.decodeRow(rows[0]!)).toEqual({ children: [child.uuid[1]] });
  });

  test("abort: nothing is written", async () => {
    expect(await refused(parent("aborted"), { op: "abort" })).toEqual(["OVSDB_OPERATION", "aborted", 1]);
    expect(await client.transact([{ op: "select", table: "Parent", where: byName("aborted") }])).toEqual([{ rows: [] }]);
  });

  test("pipelined transactions are executed in the order of the calls", async () => {
    await client.transact([{ op: "insert", table: "Types", row: types({ name: "pipe", color: "red", pair: 1 }) }]);
    const add: Operation = { op: "mutate", table: "Types", where: byName("pipe"), mutations: [["count", "+=", 1]] };
    const read: Operation = { op: "select", table: "Types", where: byName("pipe"), columns: ["count"] };
    const results = await Promise.all(Array.from({ length: 500 }, () => client.transact([add, read] as const)));
    expect(results.map(([, selected]) => (selected as { rows: WireRow[] }).rows[0]!["count"])).toEqual(Array.from({ length: 500 }, (_, at) => at + 1));
  });
});

describe("the server's errors keep their code and the operation's index", () => {
  const types1 = (row: WireRow): Operation => ({ op: "insert", table: "Types", row: { color: "red", pair: 1, ...row } });
  const wait = (rows: WireRow[], timeout?: number): Operation => ({
    op: "wait",
    table: "Parent",
    where: byName("missing"),
    columns: ["name"],
    until: "==",
    rows,
    ...(timeout !== undefined && { timeout }),
  });

  test.each<[string, Operation[], string, number | "commit"]>([
    ["a value out of its enumeration", [types1({}), types1({ color: "blue" })], "constraint violation", 1],
    ["an integer out of range", [types1({ percent: 101 })], "constraint violation", 0],
    ["too many elements", [types1({ pair: ["set", [1, 2, 3]] })], "syntax error", 0],
    ["an element of another type", [types1({ name: 1 })], "syntax error", 0],
    ["a duplicate in a set", [types1({ names: ["set", ["a", "a"]] })], "ovsdb error", 0],
    ["a column that cannot be changed", [{ op: "update", table: "Types", where: [], row: { fixed: "x" } }], "constraint violation", 0],
    ["an unknown column", [types1({ later: 1 })], "unknown column", 0],
    ["an unknown table", [{ op: "delete", table: "Later", where: [] }], "syntax error", 0],
    [
      "division by zero",
      [types1({ name: "zero" }), { op: "mutate", table: "Types", where: byName("zero"), mutations: [["count", "/=", 0]] }],
      "domain error",
      1,
    ],
    [
      "overflow",
      [types1({ name: "big", count: 2 ** 40 }), { op: "mutate", table: "Types", where: byName("big"), mutations: [["count", "*=", 2 ** 40]] }],
      "range error",
      1,
    ],
    ["a wait that is not true", [wait([{ name: "missing" }], 0)], "timed out", 0],
    ["a wait that stays untrue", [wait([{ name: "missing" }], 30)], "timed out", 0],
    ["an assert without the lock", [{ op: "assert", lock: "nobody" }], "not owner", 0],
    ["an index with two equal rows", [parent("twin"), parent("twin")], "constraint violation", "commit"],
    ["too many rows", ["1", "2", "3"].map((name) => ({ op: "insert", table: "Few", row: { name } })), "constraint violation", "commit"],
    ["a strong reference to nothing", [parent("ref", { children: ["uuid", randomUUID()] })], "referential integrity violation", "commit"],
    ["a weak reference that must be there", [{ op: "insert", table: "Holder", row: { needs: ["uuid", randomUUID()] } }], "constraint violation", "commit"],
  ])("%s", async (_name, operations, error, index) => {
    expect(await refused(...operations)).toEqual(["OVSDB_OPERATION", error, index]);
  });

  test("an old server: the error names the release with the column or table", async () => {
    expect((await failure<OperationError>(client.transact([types1({ later: 1 })]))).message).toBe(
      "operation 0: unknown column: No column later in table Types. (Types.later came with OVN 99)",
    );
    expect((await failure<OperationError>(client.transact([{ op: "delete", table: "Later", where: [] }]))).message).toContain("(table Later came with OVN 99)");
  });

  test("an unknown database", async () => {
    const error = (await failure<OperationError>(connect(server.endpoint, { database: "Nope" }))) as OvsdbError;
    expect(error).toMatchObject({
      code: "OVSDB_RPC",
      error: "unknown database",
      details: "the server has no database Nope; it has Test: is this the endpoint of another database?",
    });
  });
});

describe("waits", () => {
  const until = (name: string): Operation => ({ op: "wait", table: "Parent", where: byName(name), columns: ["name"], until: "==", rows: [{ name }] });

  test("a wait delays no other call, and ends when another transaction makes it true", async () => {
    const waiting = client.transact([until("awaited")]);
    expect(await client.transact([parent("awaited")])).toHaveLength(1);
    expect(await waiting).toEqual([{}]);
  });

  test("a wait whose timeout expires is cancelled: its transaction is never written", async () => {
    const error = await failure<OperationError>(client.transact([until("never"), parent("late")], { timeout: 50 }));
    expect(error.code).toBe("OVSDB_OUTCOME_UNKNOWN");
    expect((await failure<OperationError>(client.transact([until("never")], { timeout: 50 }))).code).toBe("OVSDB_TIMEOUT");
    await client.transact([parent("never")]);
    expect(await client.transact([{ op: "select", table: "Parent", where: byName("late") }])).toEqual([{ rows: [] }]);
  });

  test("an aborted wait: the server reports that nothing was written", async () => {
    const controller = new AbortController();
    const call = failure<OperationError>(client.transact([until("nothing"), parent("x")], { signal: controller.signal }));
    await client.echo();
    controller.abort(new Error("enough"));
    expect(await call).toMatchObject({ code: "OVSDB_ABORTED", cause: { message: "enough" } });
  });
});

describe("the rest of RFC 7047", () => {
  test("databases, echo, server id", async () => {
    expect(await client.listDatabases()).toEqual(["Test", "_Server"]);
    expect(await client.echo([1, { a: "é" }])).toEqual([1, { a: "é" }]);
    expect(await client.getServerId()).toMatch(/^[0-9a-f-]{36}$/);
  });

  test("the schema is requested once", async () => {
    expect(await client.getSchema()).toBe(schema);
    expect([schema.version, schema.table("Child").isRoot, schema.table("Few").maxRows]).toEqual(["1.2.3", false, 2]);
  });

  test("values that would make the server close the connection are refused", async () => {
    const error = (await failure<OperationError>(client.transact([parent("a\0b")]).catch((problem) => Promise.reject(problem)))) as OvsdbError;
    expect([error.code, error.message]).toEqual(["OVSDB_VALUE", "value[1].row.name: a string may not hold the character U+0000"]);
    expect(client.connected).toBe(true);
  });

  test("a name with every escape", async () => {
    const name = "\u0001\b\t\n\"\\/\u007f\u2028'; --{}";
    await client.transact([parent(name)]);
    expect(await client.transact([{ op: "select", table: "Parent", where: byName(name), columns: ["name"] }])).toEqual([{ rows: [{ name }] }]);
  });
});
