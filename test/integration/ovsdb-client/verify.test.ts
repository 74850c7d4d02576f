import { connect, type OvsdbClient } from "@pulumi-ovn/ovsdb-client";
import { failure } from "../../support/failure";
import { standalone } from "../../support/ovsdb-server";

let server: Awaited<ReturnType<typeof standalone>>;
let clients: OvsdbClient[];
let client: OvsdbClient;
let other: OvsdbClient;

beforeAll(async () => {
  server = await standalone();
  clients = await Promise.all(Array.from({ length: 4 }, () => connect(server.endpoint, { database: "Test" })));
  [client, other] = clients as [OvsdbClient, OvsdbClient];
});
afterEach(async () => {
  await client.transaction((tx) => ["Types", "Parent"].forEach((table) => tx.delete(table, [])));
});
afterAll(async () => {
  await Promise.all(clients.map((each) => each.close()));
  await server.remove();
});

const insert = async (table: string, row: object) => {
  const { value, uuid } = await other.transaction((tx) => tx.insert(table, table === "Types" ? { color: "red", ...row } : row));
  return uuid(value);
};
const count = async () => (await client.select("Types", { columns: ["count"] }))[0]!["count"];

test("a value changed between read and commit is read and written again", async () => {
  const row = await insert("Types", { count: 1, name: "a" });
  const seen: unknown[] = [];
  const { attempts, value } = await client.transaction(async (tx) => {
    const [read] = await tx.select("Types", { where: row, columns: ["count", "name"] });
    tx.verify("Types", read!, "count");
    if (seen.push(read!["count"]) === 1) await other.transaction((theirs) => void theirs.update("Types", row, { count: 10 }));
    tx.update("Types", row, { count: (read!["count"] as number) + 1 });
    return read!["count"];
  });
  expect([attempts, value, seen, await count()]).toEqual([2, 10, [1, 10], 11]);
});

test("unverified columns may change", async () => {
  const row = await insert("Types", { count: 1, name: "a" });
  const { attempts } = await client.transaction(async (tx) => {
    const [read] = await tx.select("Types", { where: row });
    tx.verify("Types", read!, "count");
    await other.transaction((theirs) => void theirs.update("Types", row, { name: "b" }));
    tx.update("Types", row, { count: 2 });
  });
  expect(attempts).toBe(1);
});

test("guards concern values before the transaction's own writes", async () => {
  const row = await insert("Types", { count: 1 });
  const { attempts } = await client.transaction(async (tx) => {
    tx.update("Types", row, { count: 2 });
    const [read] = await tx.select("Types", { where: row, verify: true });
    tx.verify("Types", read!);
  });
  expect([attempts, await count()]).toEqual([1, 2]);
});

test("a deleted row, and an added one", async () => {
  const row = await insert("Parent", { name: "a" });
  const gone = await client.transaction(async (tx) => {
    const [read] = await tx.select("Parent", { where: row, columns: [] });
    if (read === undefined) return "gone";
    tx.verify("Parent", read);
    await other.transaction((theirs) => void theirs.delete("Parent", row));
    tx.insert("Parent", { name: "not written" });
    return "there";
  });
  expect([gone.value, gone.attempts]).toEqual(["gone", 2]);
  const come = await client.transaction(async (tx) => {
    const found = await tx.select("Parent", { where: { name: "b" }, verify: true });
    if (found.length > 0) return found[0]!["name"];
    await insert("Parent", { name: "b" });
    tx.insert("Parent", { name: "not written" });
    return "new";
  });
  expect([come.value, come.attempts]).toEqual(["b", 2]);
  expect((await client.select("Parent")).map(({ name }) => name)).toEqual(["b"]);
});

test("many writers: no count is lost, no name is written twice", async () => {
  const row = await insert("Types", { count: 0 });
  const once = (writer: OvsdbClient, turn: number) =>
    writer.transaction(
      async (tx) => {
        const [read] = await tx.select("Types", { where: row, columns: ["count"] });
        tx.verify("Types", read!);
        tx.update("Types", row, { count: (read!["count"] as number) + 1 });
        const found = await tx.select("Parent", { where: { name: `n${turn}` }, verify: true });
        if (found.length === 0) tx.insert("Parent", { name: `n${turn}` });
      },
      { attempts: 1000 },
    );
  const done = await Promise.all(
    clients.map(async (writer) => {
      let attempts = 0;
      for (let turn = 0; turn < 25; turn++) attempts += (await once(writer, turn)).attempts;
      return attempts;
    }),
  );
  expect(await count()).toBe(100);
  // They were in each other's way, or this has shown nothing.
  expect(done.reduce((sum, attempts) => sum + attempts)).toBeGreaterThan(100);
  const names = (await client.select("Parent")).map(({ name }) => name);
  expect(names.sort()).toEqual(Array.from({ length: 25 }, (_, turn) => `n${turn}`).sort());
});

describe("values that can't be compared as read are verified by the row's version", () => {
  test.each(["select", "row"])("by %s", async (how) => {
    const row = await insert("Types", { ratio: 1 / 3, ratios: [0.1, 1 / 7], weights: new Map([[1, 2 / 3]]) });
    const attempts = (disturb: boolean) =>
      client.transaction(async (tx) => {
        const [read] = await tx.select("Types", { where: row, columns: ["ratio", "ratios", "weights"], verify: how === "select" });
        if (how === "row") tx.verify("Types", read!);
        if (disturb) await other.transaction((theirs) => void theirs.update("Types", row, { ratio: 0.7 }));
        disturb = false;
        tx.update("Types", row, { name: "written" });
      });
    expect((await attempts(false)).attempts).toBe(1);
    expect((await attempts(true)).attempts).toBe(2);
  });
});

describe("rows of a monitor's cache", () => {
  test("are verified by their columns, and read again", async () => {
    const row = await insert("Types", { count: 1, names: ["a"], options: { k: "v" }, maybe_name: "m" });
    const monitor = await client.monitor({ Types: { columns: ["count", "names", "options", "maybe_name", "ratio"] } });
    const exact = await client.transaction((tx) => {
      const cached = monitor.table("Types").get(row)!;
      tx.verify("Types", cached, "count", "names", "options", "maybe_name");
      tx.update("Types", cached, { count: 2 });
    });
    expect(exact.attempts).toBe(1);
    const cached = () => monitor.table("Types").get(row)!;
    let built = 0;
    const changed = await client.transaction(async (tx) => {
      const { count } = cached().toObject();
      tx.verify("Types", cached(), "count");
      if (++built === 1) await other.transaction((theirs) => void theirs.update("Types", row, { count: 20 }));
      tx.update("Types", cached(), { count: (count as number) + 1 });
    });
    expect(changed.attempts).toBeGreaterThan(1);
    expect([await count(), cached().get("count")]).toEqual([21, 21]);
    const error = await failure(client.transaction((tx) => tx.verify("Types", cached())));
    expect([error.code, error.message]).toEqual([
      "OVSDB_VALUE",
      "Types.ratio: can't be verified without the row's _version: read the row with the transaction's select",
    ]);
    monitor.cancel();
  });
});

describe("a repeated transaction ends", () => {
  const contended = async (row: string, options: object) =>
    client.transaction(async (tx) => {
      const [read] = await tx.select("Types", { where: row, columns: ["count"] });
      tx.verify("Types", read!);
      await other.transaction((theirs) => void theirs.mutate("Types", row, { count: { "+=": 1 } }));
      tx.update("Types", row, { name: "not written" });
    }, options);

  test("after a number of attempts", async () => {
    const row = await insert("Types", {});
    const error = await failure(contended(row, { attempts: 3 }));
    expect(error).toMatchObject({
      code: "OVSDB_CONFLICT",
      name: "ConflictError",
      attempts: 3,
      endpoint: server.endpoint,
      message: "what the transaction read of Types was changed by others before the commit, 3 times",
    });
    expect(error.cause).toMatchObject({ code: "OVSDB_OPERATION", error: "timed out" });
    expect(await client.select("Types", { columns: ["name", "count"] })).toEqual([{ _uuid: row, name: "", count: 3 }]);
    expect(await failure(contended(row, {}))).toMatchObject({ attempts: 12 });
  });

  test("at the timeout for all attempts", async () => {
    const row = await insert("Types", {});
    const error = await failure(contended(row, { attempts: 1e9, timeout: 300 }));
    // Whichever step the timeout met; a commit that was on its way then is of unknown outcome.
    expect(["OVSDB_CONFLICT", "OVSDB_TIMEOUT", "OVSDB_CONNECTION", "OVSDB_OUTCOME_UNKNOWN"]).toContain(error.code);
    expect((await client.select("Types", { columns: ["name"] }))[0]!["name"]).toBe("");
  });

  test("at its abort", async () => {
    const row = await insert("Types", {});
    const stop = new AbortController();
    setTimeout(() => stop.abort(new Error("enough")), 100);
    const error = await failure(contended(row, { attempts: 1e9, signal: stop.signal }));
    expect([error.code, (error.cause as Error).message]).toEqual(["OVSDB_ABORTED", "enough"]);
  });

  test("after an exception: nothing is sent", async () => {
    await expect(
      client.transaction((tx) => {
        tx.insert("Parent", { name: "x" });
        throw new RangeError("mine");
      }),
    ).rejects.toThrow(RangeError);
    expect(await client.select("Parent")).toEqual([]);
  });
});
