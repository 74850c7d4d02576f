import { type AnyDatabase, connect, type OvsdbClient, NamedUuid, type Transaction } from "@pulumi-ovn/ovsdb-client";
import { failure } from "../../support/failure";
import { standalone } from "../../support/ovsdb-server";

let server: Awaited<ReturnType<typeof standalone>>;
let client: OvsdbClient;
let other: OvsdbClient;

beforeAll(async () => {
  server = await standalone();
  [client, other] = await Promise.all([connect(server.endpoint, { database: "Test" }), connect(server.endpoint, { database: "Test" })]);
});
afterEach(async () => {
  await client.transaction((tx) => ["Types", "Holder", "Parent", "Few"].forEach((table) => tx.delete(table, [])));
});
afterAll(async () => {
  await Promise.all([client.close(), other.close()]);
  await server.remove();
});

const names = async (table: string) => (await client.select(table, { columns: ["name"] })).map(({ name }) => name).sort();
const insert = async (table: string, row: object) => {
  const { value, uuid } = await other.transaction((tx) => tx.insert(table, table === "Types" ? { color: "red", ...row } : row));
  return uuid(value);
};
type Tx = Transaction<AnyDatabase>;

describe("select", () => {
  test("decodes rows, and finds them by UUID, by equal columns and by conditions", async () => {
    const [a, b] = [
      await insert("Types", { name: "a", count: 2n ** 60n, names: ["x", "y"], options: { k: "v" }, percent: 7 }),
      await insert("Types", { name: "b", maybe_name: "m" }),
    ];
    const columns = ["name", "count", "names", "options", "percent", "maybe_name"];
    const rowA = { _uuid: a, name: "a", count: 2n ** 60n, names: ["x", "y"], options: new Map([["k", "v"]]), percent: 7, maybe_name: null };
    expect(await client.select("Types", { where: a, columns })).toEqual([rowA]);
    expect(await client.select("Types", { where: rowA, columns })).toEqual([rowA]);
    expect(await client.select("Types", { where: { name: "a", maybe_name: null }, columns })).toEqual([rowA]);
    const found = async (...where: never[]) => (await client.select("Types", { where, columns: ["name"] })).map(({ name }) => name).sort();
    expect(await found()).toEqual(["a", "b"]);
    expect(await found(["options", "includes", { k: "v" }] as never)).toEqual(["a"]);
    expect(await found(["names", "excludes", ["x"]] as never)).toEqual(["b"]);
    expect(await found(["percent", ">", 6] as never, ["percent", "<=", 7] as never)).toEqual(["a"]);
    expect(await found(["_uuid", "!=", a] as never)).toEqual(["b"]);
    expect(Object.keys((await client.select("Types", { where: b }))[0]!).sort()).toEqual(
      ["_uuid", "_version", ...(await client.getSchema()).table("Types").columns.keys()].sort(),
    );
  });

  test("returns all rows that are equal in the requested columns", async () => {
    await insert("Parent", { name: "one", friends: [] });
    await insert("Parent", { name: "two" });
    expect(await client.select("Parent", { columns: ["friends"] })).toHaveLength(2);
  });

  test("refuses invalid requests before it sends anything", async () => {
    await expect(client.select("Nothing")).rejects.toMatchObject({ code: "OVSDB_SCHEMA", table: "Nothing" });
    await expect(client.select("Types", { columns: ["nothing"] })).rejects.toMatchObject({ code: "OVSDB_SCHEMA", column: "nothing" });
    await expect(client.select("Types", { where: {} })).rejects.toMatchObject({ code: "OVSDB_VALUE", path: "Types" });
  });
});

describe("call", () => {
  test("sends any method, and returns its errors", async () => {
    expect(await client.call("echo", ["x", 1])).toEqual(["x", 1]);
    expect(await client.call("list_dbs", [], { readOnly: true })).toEqual(["Test", "_Server"]);
    expect(await client.call("get_schema", ["Test"])).toMatchObject({ name: "Test", version: "1.2.3" });
    await expect(client.call("nonsense")).rejects.toMatchObject({ code: "OVSDB_RPC", error: "unknown method" });
  });

  test("refuses methods that belong to the connection, and invalid names", async () => {
    await expect(client.call("monitor_cond", [])).rejects.toMatchObject({
      code: "OVSDB_VALUE",
      message: "method: monitor_cond belongs to the connection; use monitor()",
    });
    await expect(client.call('a","b":"')).rejects.toMatchObject({ code: "OVSDB_VALUE", message: 'method: "a\\",\\"b\\":\\"" is not the name of a method' });
  });
});

describe("writing", () => {
  test("rows refer to rows of the same transaction, and their UUIDs are in the result", async () => {
    const { value, uuid, count, attempts } = await client.transaction((tx) => {
      const children = ["x", "y"].map((name) => tx.insert("Child", { name }));
      const parent = tx.insert("Parent", { name: "p", children });
      tx.comment("a test");
      const holder = tx.insert("Holder", { needs: parent });
      const renamed = tx.update("Parent", parent, { name: "q" });
      return { children, parent, holder, renamed, none: tx.delete("Few", { name: "nobody" }) };
    });
    expect([count(value.renamed), count(value.none), attempts]).toEqual([1, 0, 1]);
    const [parent] = await client.select("Parent");
    expect(parent).toMatchObject({ _uuid: uuid(value.parent), name: "q", children: value.children.map(uuid).sort() });
    expect(await client.select("Holder", { columns: ["needs"] })).toEqual([{ _uuid: uuid(value.holder), needs: uuid(value.parent) }]);
    expect(await server.appctl("version")).toBeDefined();
  });

  test("given UUIDs", async () => {
    const own = "9a1b0c3e-0000-4000-8000-00000000000a";
    const { value, uuid } = await client.transaction((tx) => {
      const child = tx.insert("Child", { name: "c" }, { uuid: own });
      return { child, parent: tx.insert("Parent", { name: "p", children: child }) };
    });
    expect(uuid(value.child)).toBe(own);
    expect(await client.select("Parent", { columns: ["children"] })).toEqual([{ _uuid: uuid(value.parent), children: [own] }]);
    await expect(client.transaction((tx) => void tx.insert("Parent", {}, { uuid: "mine" }))).rejects.toMatchObject({
      code: "OVSDB_VALUE",
      path: "Parent._uuid",
    });
  });

  test("mutations: deletions first, keys replaced, numbers counted", async () => {
    const row = await insert("Types", {
      pair: [1, 2],
      options: { a: "1", b: "2", c: "3", d: "4" },
      names: ["x", "y"],
      count: 5,
      maybe_name: "m",
      weights: new Map([[1, 0.5]]),
    });
    const { value, count } = await client.transaction((tx) =>
      tx.mutate("Types", row, {
        pair: { insert: 3, delete: 1 },
        options: { set: { a: "new", e: "5" }, delete: ["b"], insert: { c: "kept" } },
        names: { delete: ["x", "gone"], insert: new Set(["z"]) },
        count: { "+=": 2 },
        maybe_name: { delete: "m", insert: "n" },
        weights: { delete: [1] },
      }),
    );
    expect(count(value)).toBe(1);
    await client.transaction((tx) => void tx.mutate("Types", row, { options: { delete: { d: "another", e: "5" } }, count: { "*=": 3 } }));
    expect(await client.select("Types", { columns: ["pair", "options", "names", "count", "maybe_name", "weights"] })).toEqual([
      {
        _uuid: row,
        pair: [2, 3],
        options: new Map([
          ["a", "new"],
          ["c", "3"],
          ["d", "4"],
        ]),
        names: ["y", "z"],
        count: 21,
        maybe_name: "n",
        weights: new Map(),
      },
    ]);
  });

  test("undefined columns are omitted", async () => {
    const row = await insert("Types", { name: "a", maybe_name: undefined });
    await client.transaction((tx) => void tx.update("Types", row, { name: undefined as never, count: 1 }));
    expect(await client.select("Types", { columns: ["name", "count"] })).toEqual([{ _uuid: row, name: "a", count: 1 }]);
  });

  test.each<[string, (tx: Tx) => unknown, object]>([
    ["an unknown table", (tx) => tx.insert("Nothing", {}), { code: "OVSDB_SCHEMA", table: "Nothing" }],
    ["an unknown column", (tx) => tx.insert("Types", { nothing: 1 }), { code: "OVSDB_SCHEMA", column: "nothing" }],
    ["a value outside of its limits", (tx) => tx.insert("Types", { percent: 101 }), { code: "OVSDB_VALUE", path: "Types.percent" }],
    ["no rows said", (tx) => tx.delete("Types", {}), { message: "Types: {} does not say which rows; all rows are []" }],
    ["an undefined condition", (tx) => tx.delete("Types", { name: undefined }), { message: "Types.name: the condition has no value" }],
    ["nothing for rows", (tx) => tx.delete("Types", undefined as never), { message: "Types: undefined does not say which rows" }],
    ["a wrong function", (tx) => tx.delete("Types", [["name", "=" as "==", "a"]]), { message: 'Types.name: "=" is not a function of conditions' }],
    ["no condition", (tx) => tx.delete("Types", ["name"] as never), { message: "Types: a condition is [column, function, value]" }],
    ["an update of what is set by insert", (tx) => tx.update("Types", [], { fixed: "x" }), { message: "Types.fixed: is set by insert only" }],
    ["a mutation of what is set by insert", (tx) => tx.mutate("Types", [], { fixed: { "+=": 1 } }), { message: "Types.fixed: is set by insert only" }],
    ["elements of a single value", (tx) => tx.mutate("Types", [], { name: { insert: "x" } }), { message: "Types.name: holds exactly one value: update it" }],
    ["pairs of a set", (tx) => tx.mutate("Types", [], { names: { set: ["x"] } }), { message: 'Types.names: "set" is not a mutation of this column' }],
    [
      "a row of nobody",
      (tx) => tx.insert("Parent", { friends: new NamedUuid("stray") }),
      { message: "Parent: refers to a row (stray) that this transaction does not insert" },
    ],
    [
      "an unread column",
      (tx) => tx.verify("Types", { _uuid: "9a1b0c3e-0000-4000-8000-000000000000", name: undefined }, "name"),
      { message: "Types.name: was not read, and can't be verified" },
    ],
  ])("%s is refused, and nothing is written", async (_, build, error) => {
    await expect(
      client.transaction((tx) => {
        tx.insert("Parent", { name: "not written" });
        build(tx);
      }),
    ).rejects.toMatchObject(error);
    expect(await names("Parent")).toEqual([]);
  });

  test("a row of an earlier transaction is refused; this transaction has neither its UUID nor its count", async () => {
    const first = await client.transaction((tx) => ({ row: tx.insert("Parent", { name: "a" }), all: tx.update("Parent", [], { name: "b" }) }));
    await expect(client.transaction((tx) => void tx.insert("Holder", { needs: first.value.row }))).rejects.toMatchObject({
      code: "OVSDB_VALUE",
      path: "Holder",
    });
    const second = await client.transaction((tx) => tx.comment("nothing"));
    expect(() => second.uuid(first.value.row)).toThrow(TypeError);
    expect(() => second.count(first.value.all)).toThrow(TypeError);
  });

  test("an empty transaction is not sent", async () => {
    expect(await client.transaction(() => 7)).toMatchObject({ value: 7, attempts: 1 });
  });

  test("durable, and only with a lock", async () => {
    await expect(
      client.transaction((tx) => {
        tx.assertLock("l");
        tx.insert("Parent", { name: "a" });
      }),
    ).rejects.toMatchObject({ code: "OVSDB_OPERATION", error: "not owner" });
    const lock = await client.lock("l");
    await client.transaction((tx) => {
      tx.assertLock(lock);
      tx.durable();
      tx.insert("Parent", { name: "a" });
    });
    await lock.release();
    expect(await names("Parent")).toEqual(["a"]);
  });

  test("a wait that does not become true ends the transaction, once", async () => {
    let built = 0;
    const error = await failure(
      client.transaction((tx) => {
        built++;
        tx.wait("Parent", { name: "a" }, { until: "!=", rows: [] });
        tx.insert("Parent", { name: "b" });
      }),
    );
    expect([error.code, built, await names("Parent")]).toEqual(["OVSDB_OPERATION", 1, []]);
    await insert("Parent", { name: "a" });
    await client.transaction((tx) => {
      tx.wait("Parent", [], { until: "==", rows: [{ name: "a" }] });
      tx.insert("Parent", { name: "b" });
    });
    const waiting = client.transaction((tx) => {
      tx.wait("Parent", { name: "c" }, { until: "==", rows: [{ name: "c" }], timeout: 20_000 });
      tx.insert("Parent", { name: "d" });
    });
    await insert("Parent", { name: "c" });
    await waiting;
    expect(await names("Parent")).toEqual(["a", "b", "c", "d"]);
  });
});
