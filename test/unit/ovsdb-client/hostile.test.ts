import type { Socket } from "node:net";
import { connect, type ClientOptions, type Operation, type OvsdbClient } from "@pulumi-ovn/ovsdb-client";
import { failure } from "../../support/failure";
import { type Answer, FakeServer, reply, type Request } from "../../support/ovsdb-fake";
import { until } from "../../support/until";

const READ: Operation[] = [{ op: "select", table: "T", where: [] }];
const WRITE: Operation[] = [{ op: "insert", table: "T", row: {} }];

let fake: FakeServer | undefined;
let client: OvsdbClient | undefined;

async function start(answer: Answer, options: Partial<ClientOptions> = {}, row?: object): Promise<OvsdbClient> {
  fake = await FakeServer.start(answer, row);
  client = await connect(fake.endpoint, { database: "Test", connectTimeout: 20_000, ...options });
  return client;
}

const on =
  (method: string, how: Answer): Answer =>
  (request, socket) =>
    request.method === method && how(request, socket);

afterEach(async () => {
  jest.restoreAllMocks();
  await client?.close();
  await fake?.stop();
  client = fake = undefined;
});

describe("an invalid reply", () => {
  const cases: [string, (id: unknown) => string | Buffer, string][] = [
    ["garbage", () => "HTTP/1.1 400 Bad Request\r\n\r\n", 'a message starts with "HTTP/1.1 400 Bad Req", not with "{"'],
    ["bad JSON", () => '{"id":}', "a message is not JSON"],
    [
      "bad UTF-8",
      (id) => Buffer.concat([Buffer.from(`{"id":${id},"result":["`), Buffer.from([0xff]), Buffer.from('"],"error":null}')]),
      "a message is not valid UTF-8",
    ],
    ["deep nesting", (id) => `{"id":${id},"result":${"[".repeat(5000)}`, "a message is nested deeper than 1000"],
    ["a wrong id", () => '{"id":999999999,"result":[],"error":null}', "a reply with id 999999999, which no call has"],
    ["an id of another type", (id) => `{"id":"${id}","result":[],"error":null}`, "which no call has"],
    ["no id", () => '{"result":[],"error":null}', "a reply with id null, which no call has"],
    ["too few results", (id) => `{"id":${id},"result":[],"error":null}`, "0 results for 1 operations"],
    ["too many results", (id) => `{"id":${id},"result":[{"rows":[],"uuid":["uuid","u"]},{},{}],"error":null}`, "3 results for 1 operations"],
    ["no result", (id) => `{"id":${id},"error":null}`, "the result of a transact is not an array"],
    ["an error without a name", (id) => `{"id":${id},"error":{}}`, "the reply to transact has an error without a name"],
    ["a request without parameters", () => '{"id":null,"method":"update"}', "a request without a method's name and a list of parameters"],
    ["an endless message", (id) => `{"id":${id},"result":["${"x".repeat(20_000)}`, "a message is longer than 10000 bytes"],
  ];

  test.each(cases)("%s: a read fails with it", async (_name, answer, problem) => {
    const { transact } = await start(
      on("transact", ({ id }, socket) => socket.write(answer(id)) || true),
      { maxMessageBytes: 10_000 },
    ).then((c) => ({ transact: () => c.transact(READ) }));
    const error = await failure(transact());
    expect(error.code).toBe("OVSDB_PROTOCOL");
    expect(error.message).toContain(problem);
    expect(error.endpoint).toBe(fake!.endpoint);
  });

  test.each(cases)("%s: the outcome of a write is unknown, and it is not sent again", async (_name, answer, problem) => {
    const c = await start(
      on("transact", ({ id }, socket) => socket.write(answer(id)) || true),
      { maxMessageBytes: 10_000 },
    );
    const error = await failure(c.transact(WRITE));
    expect(error.code).toBe("OVSDB_OUTCOME_UNKNOWN");
    expect(error.message).toContain(problem);
    await c.echo();
    expect(fake!.of("transact")).toHaveLength(1);
    expect(fake!.connections).toBe(2);
  });
});

describe("errors of the whole request", () => {
  test.each<[unknown, string, string | undefined]>([
    ["unknown method", "unknown method", undefined],
    [
      { error: "unknown database", details: "get_schema request specifies unknown database X", syntax: '"X"' },
      "unknown database",
      "get_schema request specifies unknown database X",
    ],
  ])("%j", async (error, word, details) => {
    const c = await start(on("get_schema", ({ id }, socket) => socket.write(JSON.stringify({ id, error })) || true));
    expect(await failure(c.getSchema())).toMatchObject({ code: "OVSDB_RPC", error: word, details });
    expect(fake!.connections).toBe(1);
  });

  test("an invalid schema is a SchemaError, and is read again", async () => {
    const c = await start(on("get_schema", ({ id }, socket) => reply(socket, id, { name: "Test" })));
    expect((await failure(c.getSchema())).code).toBe("OVSDB_SCHEMA");
    expect((await failure(c.getSchema())).code).toBe("OVSDB_SCHEMA");
    expect(fake!.of("get_schema")).toHaveLength(2);
  });
});

describe("values that are not operations", () => {
  test.each<[string, unknown, string]>([
    ["null", [null], 'operations[0]: an object with a text "op" was expected'],
    ["a hole", [{ op: "comment", comment: "x" }, undefined], 'operations[1]: an object with a text "op" was expected'],
    ["a text", ["select"], 'operations[0]: an object with a text "op" was expected'],
    ["a list", [[READ[0]]], 'operations[0]: an object with a text "op" was expected'],
    ["an object without a name", [{ table: "T" }], 'operations[0]: an object with a text "op" was expected'],
    ["a name of another type", [{ op: 5 }], 'operations[0]: an object with a text "op" was expected'],
    ["one operation by itself", READ[0], "operations: a list was expected"],
    ["nothing", undefined, "operations: a list was expected"],
  ])("%s: the promise is rejected, and nothing is sent", async (_name, operations, problem) => {
    const c = await start(() => false);
    const promise = c.transact(operations as Operation[]);
    expect(await failure(promise)).toMatchObject({ code: "OVSDB_VALUE", message: problem });
    await c.echo();
    expect(fake!.of("transact")).toEqual([]);
  });

  test("an empty list of operations is a transaction", async () => {
    const c = await start(() => false);
    expect(await c.transact([])).toEqual([]);
  });
});

describe("silence", () => {
  const mute = on("transact", () => true);

  test("a read ends with a TimeoutError, a write with an unknown outcome, and a cancel is sent", async () => {
    const c = await start(mute);
    expect((await failure(c.transact(READ, { timeout: 30 }))).code).toBe("OVSDB_TIMEOUT");
    const error = await failure(c.transact(WRITE, { timeout: 30 }));
    expect([error.code, error.message]).toEqual(["OVSDB_OUTCOME_UNKNOWN", "transact was sent, and no reply came within the timeout"]);
    await c.echo();
    expect(fake!.of("cancel").map(({ id, params }) => [id, params])).toEqual(fake!.of("transact").map(({ id }) => [null, [id]]));
  });

  test("a reply after the timeout is ignored", async () => {
    const late: (() => void)[] = [];
    const c = await start(on("transact", ({ id }, socket) => late.push(() => reply(socket, id, [{}])) > 0));
    await failure(c.transact(WRITE, { timeout: 20 }));
    await until(() => late.length > 0);
    late.forEach((send) => send());
    expect(await c.echo([1])).toEqual([1]);
    expect(fake!.connections).toBe(1);
  });

  test("without a handshake, connect fails at its timeout", async () => {
    fake = await FakeServer.start(() => true);
    const error = await failure(connect(fake.endpoint, { database: "Test", connectTimeout: 50 }));
    expect([error.code, error.message]).toEqual(["OVSDB_CONNECTION", `${fake.endpoint}: no answer within 50 ms`]);
  });

  test("without an answer to a probe, the connection is closed", async () => {
    let muted = false;
    const c = await start(({ method }) => muted && method !== "set_db_change_aware" && method !== "monitor_cond", { probeInterval: 20 });
    muted = true;
    const error = await failure(c.transact(WRITE));
    expect([error.code, error.message]).toEqual([
      "OVSDB_OUTCOME_UNKNOWN",
      `transact was sent, and no reply came: ${fake!.endpoint}: no sign of life within 40 ms`,
    ]);
  });

  test("answers to probes keep an idle connection, and the server's probes are answered", async () => {
    const answered: unknown[] = [];
    const c = await start(
      (request, socket) => {
        if (request.method === undefined) answered.push(request);
        if (request.method === "echo" && request.id === "echo") socket.write('{"id":"echo","method":"echo","params":["x"]}');
        return request.method === undefined;
      },
      { probeInterval: 10 },
    );
    await until(() => answered.length >= 3);
    expect(answered[0]).toEqual({ id: "echo", result: ["x"], error: null });
    expect(await c.echo()).toEqual([]);
    expect(fake!.connections).toBe(1);
  });

  test("an unknown request is answered with an error", async () => {
    const answers: unknown[] = [];
    await start((request, socket) => {
      if (request.method === "set_db_change_aware") socket.write('{"id":7,"method":"convert","params":[]}');
      if (request.method === undefined) answers.push(request);
      return request.method === undefined;
    });
    await client!.echo();
    expect(answers).toEqual([{ id: 7, result: null, error: "unknown method" }]);
  });
});

describe("repeated messages of a server", () => {
  const INSERTED = [{ uuid: ["uuid", "22222222-2222-2222-2222-222222222222"] }];

  test("a second reply to a call ends the connection; the first one counts", async () => {
    const c = await start(on("transact", ({ id }, socket) => reply(socket, id, INSERTED) && reply(socket, id, INSERTED)));
    const reports: string[] = [];
    c.subscribe({ disconnected: ({ problem }) => reports.push(problem.message) });
    expect(await c.transact(WRITE)).toEqual(INSERTED);
    await c.echo();
    expect(reports).toEqual([`${fake!.endpoint}: a reply with id ${fake!.of("transact")[0]!.id}, which no call has`]);
    expect(fake!.of("transact")).toHaveLength(1);
  });

  test("many simultaneous probes are answered", async () => {
    const answers: unknown[] = [];
    const c = await start(({ id, method }, socket) => {
      if (method === undefined) return answers.push(id) > 0;
      return method === "list_dbs" && socket.write(Array.from({ length: 2_000 }, (_, at) => `{"id":${at},"method":"echo","params":[]}`).join("")) && false;
    });
    await c.call("list_dbs", [], { readOnly: true });
    await until(() => answers.length >= 2_000);
    expect(answers).toEqual(Array.from({ length: 2_000 }, (_, at) => at));
    expect(fake!.connections).toBe(1);
  });

  test("probes of a server that does not read the answers end the connection", async () => {
    const reports: string[] = [];
    const flood = (socket: Socket) => {
      if (!socket.destroyed) socket.write(`{"id":1,"method":"echo","params":["${"x".repeat(10_000)}"]}`, () => setImmediate(() => flood(socket)));
    };
    const c = await start(
      on("list_dbs", (_request, socket) => {
        socket.pause();
        flood(socket);
        return true;
      }),
      { maxMessageBytes: 50_000, reconnect: false, listener: { disconnected: ({ problem }) => reports.push(problem.message) } },
    );
    expect((await failure(c.listDatabases())).code).toBe("OVSDB_PROTOCOL");
    expect(reports).toEqual([`${fake!.endpoint}: the server does not read the answers to what it asks`]);
  });
});

describe("a lost connection", () => {
  test("reads are sent again, writes are not", async () => {
    let lost = 0;
    const c = await start(on("transact", (_request, socket) => lost++ < 2 && (socket.destroy(), true)));
    expect(await c.transact(READ)).toEqual([{ rows: [] }]);
    lost = 0;
    const error = await failure(c.transact(WRITE));
    expect([error.code, error.message]).toEqual([
      "OVSDB_OUTCOME_UNKNOWN",
      `transact was sent, and no reply came: ${fake!.endpoint}: the connection was closed`,
    ]);
  });

  test("half-closed by the server", async () => {
    const c = await start(on("transact", (_request, socket) => (socket.end(), true)));
    expect((await failure(c.transact(WRITE))).code).toBe("OVSDB_OUTCOME_UNKNOWN");
  });

  test("in the middle of a reply", async () => {
    const c = await start(on("transact", ({ id }, socket) => (socket.end(`{"id":${id},"result":[`), true)));
    expect((await failure(c.transact(WRITE))).message).toBe(
      `transact was sent, and no reply came: ${fake!.endpoint}: the connection was closed in the middle of a message`,
    );
  });

  test("without reconnect, every later call fails with the reason", async () => {
    const c = await start(
      on("transact", (_request, socket) => (socket.destroy(), true)),
      { reconnect: false },
    );
    await failure(c.transact(WRITE));
    expect(await failure(c.transact(WRITE))).toMatchObject({
      code: "OVSDB_CONNECTION",
      message: `${fake!.endpoint}: the connection was closed`,
      endpoint: fake!.endpoint,
    });
    expect(c.connected).toBe(false);
  });

  test("an unsent call reports this at its timeout, with the reason", async () => {
    const c = await start(on("transact", (_request, socket) => (socket.destroy(), true)));
    const unreachable = new Promise<unknown>((resolve) => c.subscribe({ unreachable: resolve }));
    await fake!.stop();
    fake = undefined;
    await unreachable;
    const error = await failure(c.transact(WRITE, { timeout: 200 }));
    expect(error.code).toBe("OVSDB_CONNECTION");
    expect(error.message).toMatch(/^transact could not be sent within its timeout: unix:.*connect ENOENT/);
  });

  test("delays connections to a server that closes each immediately", async () => {
    let calls = 0;
    const c = await start(
      on("set_db_change_aware", (_request, socket) => calls++ > 0 && (socket.destroy(), true)),
      { reconnect: { initialDelay: 40, jitter: 0 } },
    );
    for (const socket of fake!.sockets) socket.destroy();
    await failure(c.transact(WRITE, { timeout: 300 }));
    expect(fake!.connections).toBeLessThan(7);
  });
});

describe("AbortSignal", () => {
  test("before the call", async () => {
    const c = await start(() => false);
    expect(await failure(c.transact(WRITE, { signal: AbortSignal.abort(new Error("why")) }))).toMatchObject({
      code: "OVSDB_ABORTED",
      cause: { message: "why" },
    });
    expect(fake!.of("transact")).toEqual([]);
  });

  test("before the call is sent: nothing is sent", async () => {
    const c = await start(() => false);
    const controller = new AbortController();
    const call = failure(c.transact(WRITE, { signal: controller.signal }));
    controller.abort();
    expect((await call).code).toBe("OVSDB_ABORTED");
    await c.echo();
    expect(fake!.of("transact")).toEqual([]);
  });

  /** @param stands whether the clock is frozen: the server has a second to report the outcome, and a busy machine may take longer */
  async function abortSent(answerCancel: Answer, { row, stands = true }: { row?: object; stands?: boolean } = {}): Promise<Promise<unknown>> {
    const controller = new AbortController();
    const c = await start(
      (request, socket) =>
        request.method === "transact" ? (setImmediate(() => controller.abort()), true) : request.method === "cancel" && answerCancel(request, socket),
      {},
      row,
    );
    if (stands) jest.spyOn(performance, "now").mockReturnValue(performance.now());
    return c.transact(WRITE, { signal: controller.signal });
  }

  test("cancelled by the server: nothing was written", async () => {
    const call = abortSent(({ params }, socket) => socket.write(JSON.stringify({ id: params[0], error: "canceled" })) || true);
    expect((await failure(call)).code).toBe("OVSDB_ABORTED");
  });

  test("cancelled by a cluster: the outcome is unknown", async () => {
    const row = { name: "Test", model: "clustered", connected: true, leader: true };
    const call = abortSent(({ params }, socket) => socket.write(JSON.stringify({ id: params[0], error: "canceled" })) || true, { row });
    expect((await failure(call)).code).toBe("OVSDB_OUTCOME_UNKNOWN");
  });

  test("too late: the result is returned", async () => {
    const call = abortSent(({ params }, socket) => reply(socket, params[0], [{ uuid: ["uuid", "x"] }]));
    expect(await call).toEqual([{ uuid: ["uuid", "x"] }]);
  });

  test("no answer from the server: unknown, after a moment", async () => {
    const error = await failure(abortSent(() => true, { stands: false }));
    expect([error.code, error.message]).toEqual(["OVSDB_OUTCOME_UNKNOWN", "transact was aborted, and the server did not say what became of it"]);
  });

  test("connecting", async () => {
    fake = await FakeServer.start(() => true);
    const controller = new AbortController();
    const call = failure(connect(fake.endpoint, { database: "Test", signal: controller.signal }));
    setTimeout(() => controller.abort(), 20);
    expect((await call).code).toBe("OVSDB_ABORTED");
    await until(() => fake!.sockets.size === 0);
  });
});

describe("connect", () => {
  test("an unknown database", async () => {
    fake = await FakeServer.start(on("monitor_cond", ({ id }, socket) => reply(socket, id, {})));
    expect(await failure(connect(fake.endpoint, { database: "Nope" }))).toMatchObject({
      code: "OVSDB_RPC",
      error: "unknown database",
      endpoint: fake.endpoint,
    });
  });

  test("an old server without _Server", async () => {
    const old: Answer = ({ id, method }, socket) =>
      method === "monitor_cond" || method === "set_db_change_aware"
        ? (socket.write(JSON.stringify({ id, error: "unknown method" })), true)
        : method === "list_dbs" && reply(socket, id, ["Test"]);
    const c = await start(old);
    expect(await c.transact(READ)).toEqual([{ rows: [] }]);
    expect((await failure(connect(fake!.endpoint, { database: "Other" }))).code).toBe("OVSDB_RPC");
  });

  test("several endpoints: the first that works; if none does, the error names all", async () => {
    fake = await FakeServer.start();
    client = await connect(`unix:/nonexistent/a,${fake.endpoint}`, { database: "Test" });
    expect(client.endpoint).toBe(fake.endpoint);
    const error = await failure(connect("unix:/nonexistent/a,unix:/nonexistent/b", { database: "Test" }));
    expect(error.message).toBe(
      "unix:/nonexistent/a: connect ENOENT: there is no such socket; is the server running, and is the path right?; unix:/nonexistent/b: connect ENOENT: there is no such socket; is the server running, and is the path right?",
    );
  });

  test("a cluster without a leader is waited for", async () => {
    fake = await FakeServer.start(() => false, { name: "Test", model: "clustered", connected: true });
    const error = await failure(connect(fake.endpoint, { database: "Test", connectTimeout: 1000 }));
    expect([error.name, error.code, error.message]).toEqual(["NotLeaderError", "OVSDB_CONNECTION", `${fake.endpoint}: the server is not the leader of Test`]);
    expect(fake.connections).toBeGreaterThan(1);
    client = await connect(fake.endpoint, { database: "Test", leaderOnly: false });
    expect(client.connected).toBe(true);
  });
});

test("a client without reconnect whose leader moves: pending calls are answered, and none waits for another leader", async () => {
  const row = { name: "Test", model: "clustered", connected: true, leader: true };
  const sent: Request[] = [];
  fake = await FakeServer.start((request) => ["transact", "echo"].includes(request.method) && sent.push(request) > 0, row);
  client = await connect(fake.endpoint, { database: "Test", reconnect: false });
  const [read, write] = [failure(client.echo([1])), client.transact(WRITE)];
  await until(() => sent.length === 2);
  const [socket] = [...fake.sockets];
  const moved = { Database: { "11111111-1111-1111-1111-111111111111": { modify: { leader: false } } } };
  socket!.write(JSON.stringify({ id: null, method: "update2", params: [["_Server"], moved] }));
  expect(await read).toMatchObject({ name: "NotLeaderError", message: `${fake.endpoint}: the server is not the leader of Test` });
  expect((await failure(client.echo([2]))).name).toBe("NotLeaderError");
  reply(socket!, sent.find(({ method }) => method === "transact")!.id, [{ uuid: ["uuid", "x"] }]);
  expect(await write).toEqual([{ uuid: ["uuid", "x"] }]);
  expect(sent).toHaveLength(2);
});

test("calls of one turn of the event loop are sent in one write, in order", async () => {
  const c = await start(() => false);
  const calls = Array.from({ length: 200 }, (_, at) => c.echo([at]));
  expect(await Promise.all(calls)).toEqual(Array.from({ length: 200 }, (_, at) => [at]));
  expect(fake!.of("echo").map(({ params }) => params[0])).toEqual(Array.from({ length: 200 }, (_, at) => at));
});

test("after close all calls fail, and a second close has no effect", async () => {
  const c = await start(on("transact", () => true));
  const open = [failure(c.transact(READ)), failure(c.transact(WRITE))];
  await until(() => fake!.of("transact").length === 2);
  await c.close();
  expect((await Promise.all(open)).map(({ code }) => code)).toEqual(["OVSDB_CONNECTION", "OVSDB_OUTCOME_UNKNOWN"]);
  expect(await failure(c.transact(READ))).toMatchObject({ code: "OVSDB_CONNECTION", message: `${fake!.endpoint}: the client was closed` });
  await c.close();
});
