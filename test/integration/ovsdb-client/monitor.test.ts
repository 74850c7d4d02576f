import { randomUUID } from "node:crypto";
import { connect, type Monitor, type OvsdbClient, type RowChange } from "@pulumi-ovn/ovsdb-client";
import { failure } from "../../support/failure";
import { standalone } from "../../support/ovsdb-server";
import { until } from "../../support/until";

let server: Awaited<ReturnType<typeof standalone>>;
let client: OvsdbClient;
let other: OvsdbClient;

beforeAll(async () => {
  server = await standalone();
  client = await connect(server.endpoint, { database: "Test", reconnect: { initialDelay: 10 } });
  other = await connect(server.endpoint, { database: "Test", reconnect: { initialDelay: 10 } });
});
afterAll(async () => {
  await Promise.all([client.close(), other.close()]);
  await server.remove();
});
beforeEach(() => other.transact([{ op: "delete", table: "Types", where: [] }]));

const insert = (by: OvsdbClient, name: string, row = {}) =>
  by.transact([{ op: "insert", table: "Types", row: { name, color: "red", pair: 1, ...row } }] as const).then(([{ uuid }]) => uuid[1]);
const names = (monitor: Monitor) => [...monitor.table("Types")].map((row) => row.get("name")).sort();

test("the cache has the contents, and this client's changes before its transact resolves", async () => {
  await insert(other, "first", { names: ["set", ["a", "b"]], options: ["map", [["k", "v"]]], maybe_count: 3 });
  const monitor = await client.monitor({ Types: { columns: ["name", "names", "options", "maybe_count", "count"] } });
  expect([monitor.method, monitor.current, names(monitor)]).toEqual(["monitor_cond_since", true, ["first"]]);
  const changes: RowChange[] = [];
  monitor.subscribe({ changed: (more) => changes.push(...more) });
  const uuid = await insert(client, "second");
  expect(names(monitor)).toEqual(["first", "second"]);
  await client.transact([
    {
      op: "mutate",
      table: "Types",
      where: [["name", "==", "first"]],
      mutations: [
        ["names", "delete", ["set", ["a"]]],
        ["names", "insert", ["set", ["c"]]],
        ["options", "insert", ["map", [["l", "w"]]]],
        ["count", "+=", 2],
      ],
    },
  ]);
  const first = [...monitor.table("Types")].find((row) => row.get("name") === "first")!;
  expect(first.toObject()).toEqual({
    _uuid: first.uuid,
    name: "first",
    names: ["b", "c"],
    options: new Map([
      ["k", "v"],
      ["l", "w"],
    ]),
    maybe_count: 3,
    count: 2,
  });
  await client.transact([{ op: "delete", table: "Types", where: [["_uuid", "==", ["uuid", uuid]]] }]);
  expect(changes.map((change) => [change.table, change.old?.get("name"), change.new?.get("name")])).toEqual([
    ["Types", undefined, "second"],
    ["Types", "first", "first"],
    ["Types", "second", undefined],
  ]);
  expect(changes[1]!.old!.get("names")).toEqual(["a", "b"]);
  monitor.cancel();
});

test("columns of all types equal what select reports", async () => {
  const monitor = await client.monitor({ Types: {}, Parent: {} });
  const uuid = await insert(client, "all", {
    truth: true,
    count: 2 ** 40,
    ratio: 0.5,
    ids: [
      "set",
      [
        ["uuid", randomUUID()],
        ["uuid", randomUUID()],
      ],
    ],
    weights: [
      "map",
      [
        [1, 0.5],
        [2, 1.5],
      ],
    ],
  });
  const where = [["_uuid", "==", ["uuid", uuid]]] as const;
  await client.transact([
    {
      op: "update",
      table: "Types",
      where,
      row: {
        weights: [
          "map",
          [
            [2, 2.5],
            [3, 1],
          ],
        ],
        maybe_name: "x",
        pair: ["set", [1, 2]],
        names: "n",
      },
    },
  ]);
  const [{ rows }] = await client.transact([{ op: "select", table: "Types", where }]);
  const { _version, ...selected } = (await client.getSchema()).table("Types").decodeRow(rows[0]!);
  expect(_version).toBeDefined();
  expect(monitor.table("Types").get(uuid)!.toObject()).toEqual(selected);
  monitor.cancel();
});

test("one transaction of another client is one update", async () => {
  const monitor = await client.monitor({ Types: { columns: ["name"] } });
  const updates: number[] = [];
  monitor.subscribe({ changed: (changes) => updates.push(changes.length) });
  const row = (name: string) => ({ op: "insert", table: "Types", row: { name, color: "red", pair: 1 } }) as const;
  await other.transact([row("a"), row("b"), row("c")]);
  await until(() => monitor.table("Types").size === 3);
  expect(updates).toEqual([3]);
  monitor.cancel();
});

test("conditions: alternatives, changed while it runs", async () => {
  for (const name of ["a", "b", "c"]) await insert(other, name);
  const monitor = await client.monitor({
    Types: {
      columns: ["name"],
      where: [
        ["name", "==", "a"],
        ["name", "==", "b"],
      ],
    },
  });
  expect(names(monitor)).toEqual(["a", "b"]);
  await monitor.setWhere("Types", [["name", "==", "c"]]);
  expect(names(monitor)).toEqual(["c"]);
  await monitor.setWhere("Types", undefined);
  expect(names(monitor)).toEqual(["a", "b", "c"]);
  monitor.cancel();
  await insert(client, "d");
  expect(names(monitor)).toEqual(["a", "b", "c"]);
});

test("missing tables and columns are SchemaErrors", async () => {
  expect((await failure<Error>(client.monitor({ Nothing: {} }))).message).toBe("the server's database Test has no table Nothing");
  expect((await failure<Error>(client.monitor({ Types: { columns: ["nothing"] } }))).message).toBe("the server's table Types has no column nothing");
});

test("kill -9 and restart: the cache has the missed changes, and reports only differences", async () => {
  for (const name of ["kept", "goes"]) await insert(other, name);
  const monitor = await client.monitor({ Types: { columns: ["name"] } });
  const events: string[] = [];
  const changes: (string | undefined)[][] = [];
  monitor.subscribe({
    stale: () => events.push("stale"),
    current: () => events.push("current"),
    changed: (more) => changes.push(...more.map((change) => [change.old?.get("name"), change.new?.get("name")] as string[])),
  });
  const kept = [...monitor.table("Types")].find((row) => row.get("name") === "kept")!;
  await server.kill();
  await until(() => events.includes("stale"));
  expect(monitor.current).toBe(false);
  await server.start();
  await until(() => events.includes("current"));
  expect(changes).toEqual([]);
  expect(monitor.table("Types").get(kept.uuid)).toBe(kept);
  await other.transact([{ op: "delete", table: "Types", where: [["name", "==", "goes"]] }]);
  await until(() => changes.length > 0);
  expect(changes).toEqual([["goes", undefined]]);
  monitor.cancel();
});

describe("locks", () => {
  test("one client holds it, the next in the queue receives it", async () => {
    const mine = await client.lock("turn");
    const theirs = await other.lock("turn");
    expect([mine.held, theirs.held]).toEqual([true, false]);
    expect(await client.transact([{ op: "assert", lock: "turn" }])).toEqual([{}]);
    expect((await failure<Error>(other.transact([{ op: "assert", lock: "turn" }]))).message).toMatch(/^operation 0: not owner/);
    await mine.release();
    await theirs.acquired();
    expect([mine.held, theirs.held]).toEqual([false, true]);
    await theirs.release();
  });

  test("stolen", async () => {
    const mine = await client.lock("prey");
    let lost = 0;
    mine.subscribe({ lost: () => lost++ });
    const theirs = await other.steal("prey");
    await until(() => lost === 1);
    expect([mine.held, theirs.held]).toEqual([false, true]);
    await Promise.all([theirs.release(), mine.release()]);
  });

  test("a wait can be aborted", async () => {
    const mine = await client.lock("long");
    const theirs = await other.lock("long");
    await expect(theirs.acquired({ signal: AbortSignal.timeout(20) })).rejects.toThrow(
      'the wait for the lock "long" was aborted: The operation was aborted due to timeout',
    );
    await Promise.all([theirs.release(), mine.release()]);
  });

  test("after a restart of the server the request is repeated", async () => {
    const mine = await client.lock("again");
    const events: string[] = [];
    mine.subscribe({ lost: () => events.push("lost"), acquired: () => events.push("acquired") });
    await server.kill();
    await until(() => events.length === 1);
    await server.start();
    await mine.acquired();
    expect(events).toEqual(["lost", "acquired"]);
    await mine.release();
  });
});
