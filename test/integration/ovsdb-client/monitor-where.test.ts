import { connect, type Monitor, type OvsdbClient } from "@pulumi-ovn/ovsdb-client";
import { failure } from "../../support/failure";
import { type Meddler, older, Proxy } from "../../support/ovsdb-proxy";
import { cluster, standalone } from "../../support/ovsdb-server";
import { until } from "../../support/until";

let server: Awaited<ReturnType<typeof standalone>>;
let other: OvsdbClient;
let proxy: Proxy;
let client: OvsdbClient;
let meddle: Meddler;

const named = (name: string) => [["name", "==", name]] as const;
const names = (monitor: Monitor) => [...monitor.table("Parent")].map((row) => row.get("name")).sort();
const add = (name: string) => other.transact([{ op: "insert", table: "Parent", row: { name } }]);

// A clustered server remembers transactions, so that a reconnect brings only what was missed.
describe.each([
  ["clustered", { clustered: true }],
  ["standalone", {}],
])("%s", (_name, options) => {
  beforeAll(async () => {
    server = await standalone(options);
    other = await connect(server.endpoint, { database: "Test", connectTimeout: 20_000 });
  });
  beforeEach(async () => {
    meddle = () => false;
    await other.transact([{ op: "delete", table: "Parent", where: [] }]);
    for (const name of ["a", "b", "c"]) await add(name);
    proxy = await Proxy.start(server.socket, (request, pair) => meddle(request, pair));
    client = await connect(proxy.endpoint, { database: "Test", reconnect: { initialDelay: 10, maxDelay: 20 } });
  });
  afterEach(async () => {
    await client.close();
    await proxy.stop();
  });
  afterAll(async () => {
    await other.close();
    await server.remove();
  });

  const start = () => client.monitor({ Parent: { columns: ["name"], where: named("a") } });

  test("without a connection: it waits for one, and the cache has only the new rows", async () => {
    const monitor = await start();
    proxy.cut();
    await until(() => !monitor.current);
    await monitor.setWhere("Parent", named("b"));
    expect([names(monitor), monitor.current]).toEqual([["b"], true]);
    await add("b2");
    await client.echo();
    expect(names(monitor)).toEqual(["b"]);
    proxy.cut();
    await until(() => !monitor.current);
    await until(() => monitor.current);
    expect(names(monitor)).toEqual(["b"]);
  });

  test.each(["before the server has it", "before its answer is read"])("the connection is lost %s", async (when) => {
    const monitor = await start();
    let cuts = 0;
    meddle = (request, pair) => {
      if (request.method !== "monitor_cond_change" || cuts++ > 0) return false;
      if (when === "before the server has it") return (pair.cut(), true);
      pair.hold();
      setTimeout(() => pair.cut(), 30);
      return false;
    };
    await monitor.setWhere("Parent", named("c"));
    expect([names(monitor), monitor.current, proxy.of("monitor_cond_change").length]).toEqual([["c"], true, 2]);
  });

  test("many at the same time: the last one applies, also after a lost connection", async () => {
    const monitor = await start();
    let turn = 0;
    meddle = (request, pair) => request.method === "monitor_cond_change" && turn++ === 3 && (pair.cut(), true);
    const all = ["b", "c", "a", "b", "c", "b"].map((name) => monitor.setWhere("Parent", named(name)));
    await Promise.all(all);
    expect(names(monitor)).toEqual(["b"]);
    await monitor.setWhere("Parent", undefined);
    expect(names(monitor)).toEqual(["a", "b", "c"]);
  });

  test("a refused condition: the former one stays, also after a reconnect", async () => {
    const monitor = await start();
    const bad = [["nothing", "==", "x"]] as const;
    const [first, second, third] = await Promise.all([
      failure(monitor.setWhere("Parent", bad)),
      monitor.setWhere("Parent", named("b")),
      failure(monitor.setWhere("Parent", bad)),
    ]);
    expect([first.code, second, third.code]).toEqual(["OVSDB_RPC", undefined, "OVSDB_RPC"]);
    expect(first.endpoint).toBe(proxy.endpoint);
    expect(names(monitor)).toEqual(["b"]);
    proxy.cut();
    await until(() => !monitor.current);
    expect((await failure(monitor.setWhere("Parent", bad))).code).toBe("OVSDB_RPC");
    expect([names(monitor), monitor.current]).toEqual([["b"], true]);
  });

  test("aborted before it is sent: nothing changes", async () => {
    const monitor = await start();
    proxy.cut();
    await until(() => !monitor.current);
    const controller = new AbortController();
    const change = failure(monitor.setWhere("Parent", named("b"), { signal: controller.signal }));
    controller.abort();
    expect((await change).code).toBe("OVSDB_ABORTED");
    expect((await failure(monitor.setWhere("Parent", named("b"), { signal: AbortSignal.abort() }))).code).toBe("OVSDB_ABORTED");
    await until(() => monitor.current);
    await client.echo();
    expect([names(monitor), proxy.of("monitor_cond_change")]).toEqual([["a"], []]);
  });

  test("aborted after it was sent: an error in time, and the monitor continues", async () => {
    const monitor = await start();
    let answer: () => void = () => undefined;
    meddle = (request, pair) => {
      if (request.method === "monitor_cond_change") {
        pair.hold();
        answer = () => pair.server.resume();
      }
      return false;
    };
    expect(await failure(monitor.setWhere("Parent", named("b"), { timeout: 30 }))).toMatchObject({
      code: "OVSDB_TIMEOUT",
      message: "monitor_cond_change: no reply within the timeout",
    });
    meddle = () => false;
    answer();
    await monitor.setWhere("Parent", named("c"));
    expect(names(monitor)).toEqual(["c"]);
  });

  test("after cancel, and after close", async () => {
    const monitor = await start();
    const open = await start();
    proxy.cut();
    await until(() => !monitor.current);
    const waiting = failure(monitor.setWhere("Parent", named("b")));
    monitor.cancel();
    for (const error of [await waiting, await failure(monitor.setWhere("Parent", named("b")))]) {
      expect(error).toMatchObject({ code: "OVSDB_ABORTED", message: "the monitor was cancelled" });
    }
    const closing = failure(open.setWhere("Parent", named("b")));
    await client.close();
    expect(await closing).toMatchObject({ code: "OVSDB_CONNECTION", message: `${proxy.endpoint}: the client was closed` });
    expect((await failure(open.setWhere("Parent", named("b")))).code).toBe("OVSDB_CONNECTION");
  });

  test("a server without conditions", async () => {
    meddle = older("monitor_cond_since", "monitor_cond");
    const monitor = await client.monitor({ Parent: { columns: ["name"] } });
    expect(await failure(monitor.setWhere("Parent", named("b")))).toMatchObject({ code: "OVSDB_RPC", error: "not supported", endpoint: proxy.endpoint });
    expect(names(monitor)).toEqual(["a", "b", "c"]);
  });

  test("a table that is not monitored", async () => {
    const monitor = await start();
    await expect((monitor as Monitor).setWhere("Few", undefined)).rejects.toThrow(TypeError);
  });
});

test("while the leader moves: each change applies when it resolves", async () => {
  const group = await cluster();
  try {
    await using moving = await connect(group.endpoints, { database: "Test", connectTimeout: 20_000, reconnect: { initialDelay: 20 } });
    await moving.transact(["a", "b"].map((name) => ({ op: "insert", table: "Parent", row: { name } }) as const));
    const monitor = await moving.monitor({ Parent: { columns: ["name"], where: named("a") } });
    for (let round = 0; round < 2; round++) {
      const leader = group.member(moving.endpoint);
      const transfer = leader.appctl("cluster/failure-test", "transfer-leadership");
      for (let turn = 0; group.member(moving.endpoint) === leader || turn < 20; turn++) {
        const name = turn % 2 === 0 ? "b" : "a";
        await monitor.setWhere("Parent", named(name));
        expect(names(monitor as Monitor)).toEqual([name]);
      }
      await transfer;
    }
  } finally {
    await group.remove();
  }
});
