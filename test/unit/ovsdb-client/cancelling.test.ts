import type { Socket } from "node:net";
import { connect, type OvsdbClient } from "@pulumi-ovn/ovsdb-client";
import { FakeServer, reply, type Request } from "../../support/ovsdb-fake";

const SCHEMA = { name: "Test", version: "1.0.0", tables: { T: { columns: { name: { type: "string" } } } } };
const OTHER = { ...SCHEMA, tables: { T: { columns: { ...SCHEMA.tables.T.columns, more: { type: "string" } } } } };
const ZERO = "00000000-0000-0000-0000-000000000000";

let fake: FakeServer;
let client: OvsdbClient | undefined;
beforeEach(() => jest.useFakeTimers({ doNotFake: ["setImmediate", "nextTick", "queueMicrotask"] }));
afterEach(async () => {
  await client?.close();
  await fake.stop();
  client = undefined;
  jest.useRealTimers();
});

/** Delivers messages between client and server, and their answers, for this many turns. */
async function exchange(turns = 20): Promise<void> {
  for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve));
}

async function pass(milliseconds: number): Promise<void> {
  for (let passed = 0; passed < milliseconds; passed += 10) {
    jest.advanceTimersByTime(10);
    await exchange();
  }
}

/** Lets fake time pass until the condition holds: how much is needed depends on how busy the machine is. */
async function passUntil(holds: () => boolean): Promise<void> {
  for (let passed = 0; !holds(); passed += 10) {
    if (passed > 60_000) throw new Error("not within a minute");
    await pass(10);
  }
}

const cancel = (socket: Socket, id: unknown) => socket.write(JSON.stringify({ id: null, method: "monitor_canceled", params: [id] }));

/** Answers, and does so with `moody`. */
async function start(moody: (request: Request, socket: Socket) => void, schema: () => unknown = () => SCHEMA): Promise<void> {
  fake = await FakeServer.start((request, socket) => {
    const { id, method, params } = request;
    if (method === "monitor_cond" && params[0] === "_Server") return false;
    if (method === "get_schema") reply(socket, id, schema());
    else if (method === "monitor_cond_since") reply(socket, id, [false, ZERO, { T: {} }]);
    else reply(socket, id, method === "echo" ? params : {});
    moody(request, socket);
    return true;
  });
  client = await connect(fake.endpoint, { database: "Test" });
}

/** Requests of ten seconds for which a server can be so: with delays that double, from 50 ms to 4 s, less their random half. */
const MOST = 15;

test("requests after each cancelled watch of the schema have growing delays", async () => {
  await start(({ params }, socket) => JSON.stringify(params[1]) === '["_Schema"]' && cancel(socket, ["_Schema"]));
  await pass(10_000);
  const watches = fake.of("monitor_cond").filter(({ params }) => params[0] === "Test");
  expect([watches.length > 3, watches.length <= MOST]).toEqual([true, true]);
});

test("requests after each cancelled monitor have growing delays, and none after a quiet second", async () => {
  let isMoody = true;
  await start(({ method, params }, socket) => isMoody && method === "monitor_cond_since" && cancel(socket, params[1]));
  const monitor = await client!.monitor({ T: {} });
  await pass(10_000);
  const count = fake.of("monitor_cond_since").length;
  expect([count > 3, count <= MOST]).toEqual([true, true]);
  isMoody = false;
  await passUntil(() => monitor.current);
  await pass(2000);
  const before = fake.of("monitor_cond_since").length;
  for (const socket of fake.sockets) cancel(socket, fake.of("monitor_cond_since")[0]!.params[1]);
  await passUntil(() => fake.of("monitor_cond_since").length > before && monitor.current);
  expect(fake.of("monitor_cond_since")).toHaveLength(before + 1);
});

test("requests after each changed schema have growing delays", async () => {
  let turn = 0;
  let isMoody = true;
  await start(
    () => undefined,
    () => (isMoody && turn++ % 2 === 0 ? SCHEMA : OTHER),
  );
  const monitor = await client!.monitor({ T: {} });
  for (const socket of fake.sockets) cancel(socket, fake.of("monitor_cond_since")[0]!.params[1]);
  await pass(10_000);
  const count = fake.of("monitor_cond_since").length;
  expect([count > 3, count <= MOST]).toEqual([true, true]);
  isMoody = false;
  await passUntil(() => monitor.current);
  expect(monitor.table("T").schema.has("more")).toBe(true);
});

test("a client that was closed, or whose monitor was cancelled, sends no request after the delay", async () => {
  await start(({ method, params }, socket) => method === "monitor_cond_since" && cancel(socket, params[1]));
  const monitor = await client!.monitor({ T: {} });
  await exchange();
  monitor.cancel();
  const before = fake.of("monitor_cond_since").length;
  for (const socket of fake.sockets) for (let turn = 0; turn < 2; turn++) cancel(socket, ["_Schema"]);
  await exchange();
  await client!.close();
  expect(jest.getTimerCount()).toBe(0);
  await pass(5000);
  expect(fake.of("monitor_cond_since")).toHaveLength(before);
});
