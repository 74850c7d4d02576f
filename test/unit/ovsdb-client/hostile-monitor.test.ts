import type { Socket } from "node:net";
import fc from "fast-check";
import { connect, type ClientOptions, type Monitor, type OvsdbClient, type OvsdbError } from "@pulumi-ovn/ovsdb-client";
import { failure } from "../../support/failure";
import { type Answer, FakeServer, reply, type Request } from "../../support/ovsdb-fake";
import { until } from "../../support/until";

const SCHEMA = {
  name: "Test",
  version: "1.0.0",
  tables: { T: { columns: { name: { type: "string" }, set: { type: { key: "integer", min: 0, max: "unlimited" } } } } },
};
const ZERO = "00000000-0000-0000-0000-000000000000";

let fake: FakeServer | undefined;
let client: OvsdbClient | undefined;
afterEach(async () => {
  await client?.close();
  await fake?.stop();
  client = fake = undefined;
});

/** A server with a table of two rows; `odd` may answer what it likes. */
async function start(odd: Answer = () => false, options: Partial<ClientOptions> = {}): Promise<OvsdbClient> {
  const rows = { one: { initial: { name: "one", set: 1 } }, two: { initial: { name: "two" } } };
  fake = await FakeServer.start((request, socket) => {
    if (odd(request, socket) === true) return true;
    if (request.method === "get_schema") return reply(socket, request.id, SCHEMA);
    return request.method === "monitor_cond_since" && reply(socket, request.id, [false, "11111111-1111-1111-1111-111111111111", { T: rows }]);
  });
  client = await connect(fake.endpoint, { database: "Test", reconnect: { initialDelay: 5, maxDelay: 10 }, ...options });
  return client;
}
const send = (method: string, ...params: unknown[]) => {
  for (const socket of fake!.sockets) socket.write(JSON.stringify({ id: null, method, params }));
};
const idOf = () => fake!.of("monitor_cond_since")[0]!.params[1];
const names = (monitor: Monitor) => [...monitor.table("T")].map((row) => row.get("name"));

/** Changes that are fine come first in the same update: it must not be applied by half. */
function behindGood(update: unknown): unknown {
  if (typeof update !== "object" || update === null) return update;
  const good = { one: { modify: { set: ["set", [2]] } }, two: { delete: null }, three: { insert: {} } };
  const { T = {}, ...rest } = update as Record<string, unknown>;
  return { T: typeof T === "object" ? { ...good, ...T } : T, ...rest };
}

/** No message of a server may end the process, or stop the client from using the next connection. */
describe.each<[string, unknown, string]>([
  ["no rows", null, "an update is not an object"],
  ["a number of rows", { T: 7 }, "the update of the table T is not an object"],
  ["a null row", { T: { one: null } }, "the update of row one of T is not an object"],
  ["a list as a row", { T: { one: [] } }, "the update of row one of T is not an object"],
  ["a numeric modify", { T: { one: { modify: 5 } } }, '"modify" of row one of T is not an object'],
  ["a null modify", { T: { one: { modify: null } } }, '"modify" of row one of T is not an object'],
  ["a null insert", { T: { one: { insert: null } } }, '"insert" of row one of T is not an object'],
  ["a text as an initial", { T: { one: { initial: "x" } } }, '"initial" of row one of T is not an object'],
  ["an empty row", { T: { one: {} } }, "an update of row one of T is empty"],
  ["a row that is not there", { T: { nine: { modify: {} } } }, "an update modifies a row of T that is not there: nine"],
  ["a table that is not monitored", { Other: {} }, 'an update of the table "Other", which is not monitored'],
  ["a value of another type", { T: { one: { modify: { name: {} } } } }, "T.name: the server sent something else than a string"],
  ["a set that is none", { T: { one: { modify: { set: ["set", 5] } } } }, "T.set: the server sent something else than an integer"],
  ["a long name with control characters", { [`x\n\u001b${"y".repeat(99_999)}`]: {} }, "an update of the table"],
])("an update with %s", (_name, update, problem) => {
  test("ends the connection with an error; the next connection reads everything", async () => {
    const c = await start();
    const monitor = await c.monitor({ T: {} });
    const reports: OvsdbError[] = [];
    const changes: unknown[] = [];
    monitor.subscribe({ stale: (error) => reports.push(error), changed: (more) => changes.push(...more) });
    send("update3", idOf(), "22222222-2222-2222-2222-222222222222", behindGood(update));
    await until(() => reports.length > 0);
    expect([reports[0]!.code, reports[0]!.endpoint]).toEqual(["OVSDB_PROTOCOL", fake!.endpoint]);
    expect(reports[0]!.message).toContain(`${fake!.endpoint}: ${problem}`);
    expect(reports[0]!.message.length).toBeLessThan(4100);
    await until(() => monitor.current);
    expect(fake!.of("monitor_cond_since").map(({ params }) => params[3])).toEqual([ZERO, ZERO]);
    expect([names(monitor), changes]).toEqual([["one", "two"], []]);
    expect(monitor.table("T").get("one")!.get("set")).toEqual([1]);
    expect(await c.echo([1])).toEqual([1]);
  });
});

describe.each<[string, unknown[]]>([
  ["an object as a transaction", [{ toString: 1 }, {}]],
  ["no transaction", [null, {}]],
])("an update with %s", (_name, params) => {
  test("ends the connection", async () => {
    const c = await start();
    const monitor = await c.monitor({ T: {} });
    const reports: OvsdbError[] = [];
    monitor.subscribe({ stale: (error) => reports.push(error) });
    send("update3", idOf(), ...params);
    await until(() => reports.length > 0 && monitor.current);
    expect(reports.map(({ message }) => message)).toEqual([`${fake!.endpoint}: the transaction of an update is not a text`]);
  });
});

describe("initial contents", () => {
  test.each<[string, unknown, string]>([
    ["no list", {}, "the result of monitor_cond_since is not [found, id, updates]"],
    ["an object as a transaction", [false, { toString: 1 }, {}], "the transaction of monitor_cond_since is not a text"],
    ["a null row", [false, ZERO, { T: { one: null } }], "the update of row one of T is not an object"],
    ["no rows", [false, ZERO, null], "an update is not an object"],
  ])("%s: monitor is rejected, and nothing is requested again", async (_name, result, problem) => {
    const c = await start(({ id, method }, socket) => method === "monitor_cond_since" && reply(socket, id, result));
    expect(await failure(c.monitor({ T: {} }))).toMatchObject({ code: "OVSDB_PROTOCOL", message: `${fake!.endpoint}: ${problem}` });
    await c.echo();
    expect(fake!.of("monitor_cond_since")).toHaveLength(1);
  });

  test("a failed later read of all contents is reported, and ends the monitor", async () => {
    let turn = 0;
    const c = await start(({ id, method }, socket) => method === "monitor_cond_since" && turn++ > 0 && reply(socket, id, [false, ZERO, { T: { one: null } }]));
    const monitor = await c.monitor({ T: {} });
    const failed: string[] = [];
    monitor.subscribe({ failed: (error) => failed.push(error.message) });
    for (const socket of fake!.sockets) socket.destroy();
    await until(() => failed.length > 0);
    await c.echo();
    expect([failed, monitor.current, names(monitor)]).toEqual([[`${fake!.endpoint}: the update of row one of T is not an object`], false, ["one", "two"]]);
    expect(fake!.of("monitor_cond_since")).toHaveLength(2);
  });

  test("an invalid schema on the next connection", async () => {
    let turn = 0;
    const c = await start(({ id, method }, socket) => method === "get_schema" && turn++ > 0 && reply(socket, id, { name: 5 }));
    const monitor = await c.monitor({ T: {} });
    const failed: string[] = [];
    monitor.subscribe({ failed: ({ code }) => failed.push(code) });
    for (const socket of fake!.sockets) socket.destroy();
    await until(() => failed.length > 0);
    await c.echo();
    expect([failed, monitor.current, names(monitor)]).toEqual([["OVSDB_SCHEMA"], false, ["one", "two"]]);
    expect(fake!.of("monitor_cancel")).toHaveLength(1);
  });
});

describe("the schema of a monitor", () => {
  test("is read once on a connection, and again on the next one", async () => {
    const c = await start();
    const [one, other] = [await c.monitor({ T: {} }), await c.monitor({ T: { columns: ["name"] } })];
    expect([names(one), names(other), fake!.of("get_schema").length]).toEqual([["one", "two"], ["one", "two"], 1]);
    for (const socket of fake!.sockets) socket.destroy();
    await until(() => fake!.of("monitor_cond_since").length === 4 && one.current && other.current);
    expect(fake!.of("get_schema")).toHaveLength(3);
  });

  test("is read again if the server reports another one before the contents", async () => {
    const CONVERTED = {
      ...SCHEMA,
      version: "2.0.0",
      tables: { T: { columns: { name: { type: { key: "string", min: 0, max: "unlimited" } }, more: { type: "string" } } } },
    };
    let asked = 0;
    let converted = false;
    const c = await start(({ id, method, params }, socket) => {
      if (method === "get_schema" && converted) return reply(socket, id, CONVERTED);
      if (method !== "monitor_cond_since" || ++asked > 1) return false;
      converted = true;
      expect(params[2]).toEqual({ T: [{ columns: ["name", "set"] }] });
      socket.write(JSON.stringify({ id: null, method: "monitor_canceled", params: [["_Schema"]] }));
      return reply(socket, id, [false, ZERO, { T: { one: { initial: { name: ["set", ["of another type"]] } } } }]);
    });
    const monitor = await c.monitor({ T: {} });
    const [first] = [...monitor.table("T")];
    expect([first!.get("name"), first!.get("more"), monitor.table("T").size, monitor.current]).toEqual([["one"], "", 2, true]);
    // The answer to columns that the table has no more is not the last one either.
    expect(fake!.of("monitor_cond_since").at(-1)!.params[2]).toEqual({ T: [{ columns: ["name", "more"] }] });
    expect((await c.getSchema()).version).toBe("2.0.0");
  });
});

describe("a conversion of the database", () => {
  const converted = (version: string, type: unknown) => ({ name: "Test", version, tables: { T: { columns: { name: { type } } } } });
  const cancelled = (id: unknown) => JSON.stringify({ id: null, method: "monitor_canceled", params: [id] });

  test("between the schema and the contents of a new connection: both are read again", async () => {
    let [turn, contents] = [0, 0];
    const c = await start(({ id, method }, socket) => {
      if (method === "get_schema") return reply(socket, id, converted(`${++turn}.0.0`, turn < 3 ? "string" : { key: "string", min: 0, max: 5 }));
      if (method !== "monitor_cond_since" || ++contents === 1) return false;
      if (contents === 2) socket.write(cancelled(["_Schema"]));
      return reply(socket, id, [false, ZERO, { T: { one: { initial: { name: contents === 2 ? "of the schema before" : ["set", ["a", "b"]] } } } }]);
    });
    const monitor = await c.monitor({ T: { columns: ["name"] } });
    for (const socket of fake!.sockets) socket.destroy();
    await until(() => contents > 2 && monitor.current);
    expect(names(monitor)).toEqual([["a", "b"]]);
    // Missed updates for old rows are useless, too.
    expect(fake!.of("monitor_cond_since").map(({ params }) => params[3] === ZERO)).toEqual([true, false, false, true]);
    expect([turn, fake!.of("monitor_cancel").length]).toEqual([4, 2]);
  });

  test("is reported once; updates of a later connection without a schema report are accepted", async () => {
    let turn = 0;
    const c = await start(({ id, method }, socket) => method === "get_schema" && turn++ > 0 && reply(socket, id, null, { error: "not now" }));
    const monitor = await c.monitor({ T: {} });
    send("monitor_canceled", ["_Schema"]);
    await c.echo();
    for (const socket of fake!.sockets) socket.destroy();
    await until(() => turn > 1 && monitor.current);
    expect([names(monitor), fake!.of("monitor_cond_since").length]).toEqual([["one", "two"], 2]);
  });

  test("reported before the schema was read causes no second read", async () => {
    let asked = 0;
    const c = await start(({ method }) => void (method === "monitor_cond_since" && asked++));
    const monitor = await c.monitor({ T: {} });
    // The client first learns that its own monitor was canceled, and immediately asks again.
    for (const socket of fake!.sockets) socket.write(cancelled(idOf()) + cancelled(["_Schema"]));
    await until(() => asked === 2 && monitor.current);
    await c.echo();
    expect([asked, fake!.of("monitor_cancel")]).toEqual([2, []]);
  });

  test("before the server has read changed conditions: they are sent again, and their caller receives the second answer", async () => {
    let turn = 0;
    const c = await start(({ id, method, params }, socket) => {
      if (method !== "monitor_cond_change") return false;
      if (turn++ > 0) return reply(socket, id, {});
      socket.write(cancelled(params[0]));
      return reply(socket, id, null, { error: "unknown monitor" });
    });
    const monitor = await c.monitor({ T: {} });
    await monitor.setWhere("T", [["name", "==", "two"]]);
    expect([turn, monitor.current, fake!.of("monitor_cond_since").length]).toEqual([2, true, 2]);
  });

  test("refused conditions are not sent again while the server has the monitor", async () => {
    const c = await start(({ id, method }, socket) => method === "monitor_cond_change" && reply(socket, id, null, { error: "syntax error" }));
    const monitor = await c.monitor({ T: {} });
    expect(await failure(monitor.setWhere("T", [["name", "==", "two"]]))).toMatchObject({ code: "OVSDB_RPC", error: "syntax error" });
    for (const socket of fake!.sockets) socket.destroy();
    await until(() => fake!.of("monitor_cond_since").length === 2 && monitor.current);
    // The condition of before holds.
    expect(fake!.of("monitor_cond_since").map(({ params }) => params[2])).toEqual([
      { T: [{ columns: ["name", "set"] }] },
      { T: [{ columns: ["name", "set"] }] },
    ]);
    expect(fake!.of("monitor_cond_change")).toHaveLength(1);
  });
});

describe("the server's report of itself", () => {
  test.each<[string, unknown, string]>([
    ["no rows", null, "an update of _Server is not an object"],
    ["a text as rows", { Database: "x" }, "the update of _Server.Database is not an object"],
    [
      "a null row",
      { Database: { "11111111-1111-1111-1111-111111111111": null } },
      "the update of row 11111111-1111-1111-1111-111111111111 of _Server.Database is not an object",
    ],
    [
      "a numeric modify",
      { Database: { "11111111-1111-1111-1111-111111111111": { modify: 5 } } },
      "the change of row 11111111-1111-1111-1111-111111111111 of _Server.Database is not an object",
    ],
    ["a null insert", { Database: { x: { insert: null } } }, "row x of _Server.Database is not an object"],
    [
      "an object as the model",
      { Database: { "11111111-1111-1111-1111-111111111111": { modify: { model: { toString: 1 } } } } },
      "_Server.Database.model is not a text",
    ],
    [
      "an object as a UUID",
      { Database: { "11111111-1111-1111-1111-111111111111": { modify: { cid: ["uuid", { toString: 1 }] } } } },
      "a UUID of _Server.Database is not a text",
    ],
  ])("%s", async (_name, update, problem) => {
    const c = await start();
    const reports: string[] = [];
    c.subscribe({ disconnected: (event) => reports.push(event.problem.message) });
    send("update2", ["_Server"], update);
    await until(() => reports.length > 0);
    expect(reports).toEqual([`${fake!.endpoint}: ${problem}`]);
    expect(await c.echo([1])).toEqual([1]);
  });
});

describe("monitor and its limits", () => {
  const mute =
    (method: string): Answer =>
    (request) =>
      request.method === method;

  test.each(["get_schema", "monitor_cond_since"])("an AbortSignal while %s is not answered", async (method) => {
    const c = await start(mute(method));
    const controller = new AbortController();
    const call = failure(c.monitor({ T: {} }, { signal: controller.signal }));
    await until(() => fake!.of(method).length > 0);
    controller.abort(new Error("enough"));
    expect(await call).toMatchObject({ code: "OVSDB_ABORTED", cause: { message: "enough" } });
    await c.echo();
    expect(fake!.of("monitor_cancel")).toHaveLength(method === "get_schema" ? 0 : 1);
    // It is not requested on the next connection.
    for (const socket of fake!.sockets) socket.destroy();
    await c.echo();
    expect(fake!.of(method)).toHaveLength(1);
  });

  test.each(["get_schema", "monitor_cond_since"])("a timeout while %s is not answered", async (method) => {
    const c = await start(mute(method));
    // The limit is for what is not answered.
    if (method !== "get_schema") await c.getSchema();
    expect((await failure(c.monitor({ T: {} }, { timeout: 30 }))).code).toBe("OVSDB_TIMEOUT");
    await c.echo();
    expect(fake!.of("monitor_cancel")).toHaveLength(method === "get_schema" ? 0 : 1);
  });

  test("an earlier signal: nothing is sent", async () => {
    const c = await start();
    await c.getSchema();
    expect((await failure(c.monitor({ T: {} }, { signal: AbortSignal.abort() }))).code).toBe("OVSDB_ABORTED");
    await c.echo();
    expect(fake!.of("monitor_cond_since")).toEqual([]);
  });

  test("connections that end before the contents arrive: the next one reads them", async () => {
    let turn = 0;
    const c = await start(({ method }, socket) => method === "monitor_cond_since" && turn++ < 3 && (socket.destroy(), true));
    const monitor = await c.monitor({ T: {} });
    expect([names(monitor), monitor.current]).toEqual([["one", "two"], true]);
  });

  test("no connection until the timeout", async () => {
    const c = await start();
    await c.getSchema();
    await fake!.stop();
    fake = undefined;
    await until(() => !c.connected);
    expect((await failure(c.monitor({ T: {} }, { timeout: 60 }))).code).toBe("OVSDB_CONNECTION");
  });
});

test("an interrupted change of conditions: the next connection reads everything by the former ones", async () => {
  const c = await start(({ method, params }, socket) => {
    if (method !== "monitor_cond_change") return false;
    // The rows of the new condition come, and no answer.
    return socket.write(
      JSON.stringify({ id: null, method: "update3", params: [params[0], "22222222-2222-2222-2222-222222222222", { T: { one: { delete: null } } }] }),
    );
  });
  const monitor = await c.monitor({ T: {} });
  const controller = new AbortController();
  const change = failure(monitor.setWhere("T", [["name", "==", "two"]], { signal: controller.signal }));
  await until(() => names(monitor).length === 1);
  controller.abort();
  await change;
  for (const socket of fake!.sockets) socket.destroy();
  await until(() => fake!.of("monitor_cond_since").length === 2 && monitor.current);
  expect([fake!.of("monitor_cond_since")[1]!.params[3], names(monitor).sort()]).toEqual([ZERO, ["one", "two"]]);
  expect(fake!.of("monitor_cond_change")).toHaveLength(1);
});

test("a long invalid message ends the connection", async () => {
  const c = await start();
  const reports: string[] = [];
  c.subscribe({ disconnected: (event) => reports.push(event.problem.message) });
  const rows = Array.from({ length: 16_000 }, (_, at) => `"u${at}":{"insert":{"name":"${"x".repeat(50)}"}}`).join();
  for (const socket of fake!.sockets) socket.write(`{"method":{"toString":1},"id":null,"params":["m",{"T":{${rows}}}]}`);
  await until(() => reports.length > 0);
  expect(reports).toEqual([`${fake!.endpoint}: a message that makes no sense: TypeError: Cannot convert object to primitive value`]);
  expect(await c.echo([1])).toEqual([1]);
});

test("a lock that a former leader grants is not held", async () => {
  const row = { name: "Test", model: "clustered", connected: true, leader: true };
  const locks: [unknown, Socket][] = [];
  fake = await FakeServer.start((request, socket) => {
    if (request.method !== "lock") return false;
    locks.push([request.id, socket]);
    return locks.length === 1 || reply(socket, request.id, { locked: false });
  }, row);
  client = await connect(fake.endpoint, { database: "Test", reconnect: { initialDelay: 5 } });
  const asking = client.lock("l");
  await until(() => locks.length === 1);
  send("update2", ["_Server"], { Database: { "11111111-1111-1111-1111-111111111111": { modify: { leader: false } } } });
  reply(locks[0]![1], locks[0]![0], { locked: true });
  const lock = await asking;
  expect([lock.held, locks.length]).toEqual([false, 2]);
});

/** Texts of a server in which any part is replaced by something odd. */
test("for any report of a server, the process continues, and calls end in time with an OvsdbError or a value", async () => {
  const odd = fc.oneof(
    fc.constantFrom<unknown>(
      null,
      5,
      -1,
      "",
      "x",
      [],
      {},
      true,
      { toString: 1 },
      { __proto__: null },
      ["set", []],
      ["set", 5],
      ["uuid", {}],
      ["map", [[]]],
      "\u0000",
      "\u00000",
    ),
    fc.jsonValue(),
  );
  const methods = fc.constantFrom(
    "get_schema",
    "monitor_cond_since",
    "monitor_cond",
    "lock",
    "transact",
    "list_dbs",
    "echo",
    "update3",
    "update2",
    "monitor_canceled",
    "locked",
  );
  let [connected, answered] = [0, 0];
  await fc.assert(
    fc.asyncProperty(methods, fc.array(fc.nat({ max: 5 }), { maxLength: 6 }), odd, fc.nat({ max: 2 }), async (method, path, value, skip) => {
      let turn = 0;
      const spoil = (request: Request, socket: Socket): boolean => {
        if (request.method !== method || turn++ < skip) return false;
        const good =
          method === "get_schema"
            ? SCHEMA
            : method === "monitor_cond"
              ? { Database: { x: { initial: { name: "Test", model: "standalone", connected: true } } } }
              : method === "lock"
                ? { locked: true }
                : method === "transact"
                  ? [{ rows: [{ a: 1 }] }]
                  : method === "echo"
                    ? [1]
                    : [false, ZERO, { T: { one: { initial: { name: "x", set: ["set", [1, 2]] } } } }];
        return reply(socket, request.id, place(good, path, value));
      };
      const c = await start(
        (request, socket) => {
          if (request.method === "transact" && ["update3", "update2", "monitor_canceled", "locked"].includes(method) && turn++ === 0) {
            const id = fake!.of("monitor_cond_since")[0]?.params[1] ?? "x";
            const params =
              method === "update2"
                ? [["_Server"], { Database: { "11111111-1111-1111-1111-111111111111": { modify: { model: "standalone" } } } }]
                : method === "locked"
                  ? ["l"]
                  : [id, ZERO, { T: { one: { modify: { name: "y", set: 3 } } } }];
            socket.write(JSON.stringify({ id: null, method, params: place(params, path, value) }));
          }
          return spoil(request, socket) || (request.method === "lock" && reply(socket, request.id, { locked: true }));
        },
        // A strange handshake may look like a cluster without a leader, which is waited for; all other cases are immediate.
        { timeout: 1000, connectTimeout: method === "monitor_cond" ? 150 : 20_000 },
      ).catch((error: OvsdbError) => {
        expect(error.code).toMatch(/^OVSDB_/);
        return undefined;
      });
      if (c !== undefined) {
        connected++;
        const calls = [c.monitor({ T: {} }), c.getSchema(), c.lock("l"), c.transact([{ op: "select", table: "T", where: [] }]), c.echo([1]), c.listDatabases()];
        for (const outcome of await Promise.allSettled(calls)) {
          if (outcome.status === "rejected") expect((outcome.reason as OvsdbError).code).toMatch(/^OVSDB_/);
          else answered++;
        }
        await c.close();
      }
      await fake!.stop();
      client = fake = undefined;
    }),
    { numRuns: 300 },
  );
  // More than the handshake failed.
  expect([connected > 200, answered > 600]).toEqual([true, true]);
}, 120_000);

function place(value: unknown, path: readonly number[], odd: unknown): unknown {
  if (path.length === 0 || typeof value !== "object" || value === null) return odd;
  const keys = Object.keys(value);
  if (keys.length === 0) return odd;
  const key = keys[path[0]! % keys.length]!;
  const copy = (Array.isArray(value) ? [...(value as unknown[])] : { ...value }) as Record<string, unknown>;
  copy[key] = place(copy[key], path.slice(1), odd);
  return copy;
}
