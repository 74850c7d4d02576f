import { getEventListeners } from "node:events";
import { connect, type OvsdbClient } from "@pulumi-ovn/ovsdb-client";
import { failure } from "../../support/failure";
import { type Meddler, Proxy } from "../../support/ovsdb-proxy";
import { standalone } from "../../support/ovsdb-server";

let server: Awaited<ReturnType<typeof standalone>>;
let proxy: Proxy;
let client: OvsdbClient;
let meddle: Meddler;

beforeAll(async () => {
  server = await standalone();
});
beforeEach(async () => {
  meddle = () => false;
  proxy = await Proxy.start(server.socket, (request, pair) => meddle(request, pair));
  client = await connect(proxy.endpoint, { database: "Test", reconnect: { initialDelay: 10, maxDelay: 20 } });
});
afterEach(async () => {
  await client.close();
  await proxy.stop();
});
afterAll(() => server.remove());

/** Resolves, to what lets the answer through, when the schema is asked for. */
const asked = () =>
  new Promise<() => void>((resolve) => {
    meddle = (request, pair) => {
      if (request.method === "get_schema") {
        pair.hold();
        resolve(() => pair.server.resume());
      }
      return false;
    };
  });

describe("many simultaneous callers", () => {
  test("cause one request, and receive one schema", async () => {
    const schemas = await Promise.all(Array.from({ length: 50 }, () => client.getSchema()));
    expect([new Set(schemas).size, proxy.of("get_schema").length]).toEqual([1, 1]);
  });

  test("are independent of one that aborts, or has a short timeout", async () => {
    const controller = new AbortController();
    const sent = asked();
    const aborted = failure(client.getSchema({ signal: controller.signal }));
    const short = failure(client.getSchema({ timeout: 30 }));
    const others = [client.getSchema(), client.getSchema({ signal: new AbortController().signal })];
    const answer = await sent;
    controller.abort(new Error("enough"));
    expect(await aborted).toMatchObject({ code: "OVSDB_ABORTED", message: "get_schema was aborted: enough", cause: { message: "enough" } });
    expect(await short).toMatchObject({ code: "OVSDB_TIMEOUT", message: "get_schema: no reply within the timeout" });
    answer();
    const [one, two] = await Promise.all(others);
    expect(one).toBe(two);
    expect(proxy.of("get_schema")).toHaveLength(1);
  });

  test("that all abort leave no request: the next caller sends one", async () => {
    const controller = new AbortController();
    const sent = asked();
    const both = [failure(client.getSchema({ signal: controller.signal })), failure(client.getSchema({ signal: controller.signal }))];
    const answer = await sent;
    controller.abort();
    expect((await Promise.all(both)).map(({ code }) => code)).toEqual(["OVSDB_ABORTED", "OVSDB_ABORTED"]);
    answer();
    meddle = () => false;
    expect((await client.getSchema()).name).toBe("Test");
    expect(proxy.of("get_schema")).toHaveLength(2);
  });

  test("have no request after an earlier signal", async () => {
    expect((await failure(client.getSchema({ signal: AbortSignal.abort() }))).code).toBe("OVSDB_ABORTED");
    expect((await client.getSchema()).name).toBe("Test");
  });

  test("receive the answer of the next connection after a lost one", async () => {
    let cuts = 0;
    meddle = (request, pair) => request.method === "get_schema" && cuts++ < 2 && (pair.cut(), true);
    const schemas = await Promise.all([client.getSchema(), client.getSchema()]);
    expect([schemas[0] === schemas[1], proxy.of("get_schema").length]).toEqual([true, 3]);
  });

  test("fail after close", async () => {
    const sent = asked();
    const both = [failure(client.getSchema()), failure(client.getSchema())];
    await sent;
    await client.close();
    expect((await Promise.all(both)).map(({ code }) => code)).toEqual(["OVSDB_CONNECTION", "OVSDB_CONNECTION"]);
    expect((await failure(client.getSchema())).message).toContain("the client was closed");
  });

  test("fail with the server's error, which is not kept", async () => {
    meddle = ({ id, method }, pair) => method === "get_schema" && pair.answer(id, null, { error: "some error", details: "why" });
    const both = await Promise.all([failure(client.getSchema()), failure(client.getSchema())]);
    expect(both.map(({ message }) => message)).toEqual(["get_schema: some error: why", "get_schema: some error: why"]);
    meddle = () => false;
    expect((await client.getSchema()).name).toBe("Test");
  });
});

test("a timeout of years does not expire immediately, and a signal without an event has no listener afterwards", async () => {
  const { signal } = new AbortController();
  const sent = asked();
  const schema = client.getSchema({ timeout: 1e12, signal });
  const answer = await sent;
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(getEventListeners(signal, "abort")).toHaveLength(1);
  answer();
  expect((await schema).name).toBe("Test");
  expect(getEventListeners(signal, "abort")).toHaveLength(0);
});

test("no connection until the timeout", async () => {
  await proxy.stop();
  while (client.connected) await new Promise((resolve) => setTimeout(resolve, 2));
  const error = await failure(client.getSchema({ timeout: 60 }));
  expect([error.code, error.message.includes("get_schema could not be sent within its timeout: ")]).toEqual(["OVSDB_CONNECTION", true]);
  proxy = await Proxy.start(server.socket);
});
