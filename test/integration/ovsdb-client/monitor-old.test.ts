import { connect, type OvsdbClient } from "@pulumi-ovn/ovsdb-client";
import { older, Proxy } from "../../support/ovsdb-proxy";
import { standalone } from "../../support/ovsdb-server";
import { until } from "../../support/until";

const ROWS = 10_000;

let server: Awaited<ReturnType<typeof standalone>>;
let proxy: Proxy | undefined;
let client: OvsdbClient | undefined;

beforeAll(async () => {
  server = await standalone();
  await using writer = await connect(server.endpoint, { database: "Test" });
  const rows = Array.from(
    { length: ROWS },
    (_, at) =>
      ({
        op: "insert",
        table: "Types",
        row: { name: `row ${at} }{" é`, count: at + 1, color: "red", pair: 1, options: ["map", [["k", String(at)]]] },
      }) as const,
  );
  await writer.transact(rows);
});
afterEach(async () => {
  await client?.close();
  await proxy?.stop();
  client = proxy = undefined;
});
afterAll(() => server.remove());

describe.each([
  ["monitor_cond_since", []],
  ["monitor_cond", ["monitor_cond_since"]],
  ["monitor", ["monitor_cond_since", "monitor_cond"]],
])("%s", (method, missing) => {
  const start = async () => {
    proxy = await Proxy.start(server.socket, older(...missing));
    client = await connect(proxy.endpoint, { database: "Test", reconnect: { initialDelay: 10 } });
    return client.monitor({ Types: { columns: ["name", "count", "options", "pair", "color"] } });
  };
  const expectAll = (rows: Iterable<{ toObject(): unknown }>) => {
    const found = [...rows].map((row) => row.toObject() as { name: string; count: number; options: Map<string, string>; pair: number[]; color: string });
    found.sort((a, b) => a.count - b.count);
    const wrong = found.filter(
      ({ name, count, options, pair, color }, at) =>
        !(
          name === `row ${at} }{" é` &&
          count === at + 1 &&
          options.size === 1 &&
          options.get("k") === String(at) &&
          pair.length === 1 &&
          pair[0] === 1 &&
          color === "red"
        ),
    );
    expect([found.length, wrong.length, wrong[0]]).toEqual([ROWS, 0, undefined]);
  };

  test("first contents of some megabytes equal the server's", async () => {
    const monitor = await start();
    expect(monitor.method).toBe(method);
    expectAll(monitor.table("Types"));
  });

  test("contents after a reconnect are equal, without changes", async () => {
    const monitor = await start();
    let changes = 0;
    let again = 0;
    monitor.subscribe({ changed: (more) => (changes += more.length), current: () => again++ });
    proxy!.cut();
    await until(() => again > 0);
    expectAll(monitor.table("Types"));
    expect(changes).toBe(0);
  });

  test("updates of some megabytes equal the server's", async () => {
    const monitor = await start();
    await using writer = await connect(server.endpoint, { database: "Test" });
    await writer.transact([
      {
        op: "mutate",
        table: "Types",
        where: [],
        mutations: [
          ["count", "+=", 1],
          ["options", "insert", ["map", [["l", "x".repeat(50)]]]],
        ],
      },
    ]);
    await client!.echo();
    const rows = [...monitor.table("Types")];
    expect([rows.length, rows.filter((row) => (row.get("options") as Map<string, string>).size !== 2).length]).toEqual([ROWS, 0]);
    await writer.transact([
      {
        op: "mutate",
        table: "Types",
        where: [],
        mutations: [
          ["count", "-=", 1],
          ["options", "delete", "l"],
        ],
      },
    ]);
    await until(() => [...monitor.table("Types")].every((row) => (row.get("options") as Map<string, string>).size === 1));
    expectAll(monitor.table("Types"));
  });
});
