import { connect, type OvsdbClient, type OvsdbError, type WireRow } from "@pulumi-ovn/ovsdb-client";
import { failure } from "../../support/failure";
import { type Pair, Proxy } from "../../support/ovsdb-proxy";
import { relay, standalone, type TestServer } from "../../support/ovsdb-server";
import { until } from "../../support/until";

let source: Awaited<ReturnType<typeof standalone>>;
let between: TestServer;
let client: OvsdbClient;

beforeEach(async () => {
  source = await standalone();
  between = await relay(source);
  client = await connect(between.endpoint, { database: "Test", reconnect: { initialDelay: 10, maxDelay: 50 } });
});
afterEach(async () => {
  await client?.close();
  await between?.stop();
  await source?.remove();
});

const insert = (name: string, options = {}) => client.transact([{ op: "insert", table: "Parent", row: { name } }], options);
async function inSource(): Promise<unknown[]> {
  await using reader = await connect(source.endpoint, { database: "Test" });
  const [{ rows }] = await reader.transact([{ op: "select", table: "Parent", where: [], columns: ["name"] }]);
  return rows.map((row: WireRow) => row["name"]);
}

test("forwards reads, writes and monitors", async () => {
  const monitor = await client.monitor({ Parent: { columns: ["name"] } });
  await insert("through");
  expect([...monitor.table("Parent")].map((row) => row.get("name"))).toEqual(["through"]);
  expect(await inSource()).toEqual(["through"]);
});

test("an aborted write that the relay has forwarded: the outcome is unknown, and the row is in the source", async () => {
  source.freeze(true);
  const controller = new AbortController();
  const call = failure(insert("passed on", { signal: controller.signal }));
  await client.echo();
  controller.abort();
  const error = await call;
  source.freeze(false);
  expect([error.code, error.message]).toEqual(["OVSDB_OUTCOME_UNKNOWN", "transact was cancelled, but the relay may have passed it on already"]);
  while ((await inSource()).length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
  expect(await inSource()).toEqual(["passed on"]);
});

test("a write that the source has committed and the relay cancels: the outcome is unknown", async () => {
  let between: Pair | undefined;
  const proxy = await Proxy.start(source.endpoint.slice("unix:".length), ({ method, params }, pair) => {
    if (method !== "transact" || !JSON.stringify(params).includes("committed")) return;
    between = pair;
    pair.hold();
  });
  const lost = await relay(proxy);
  const writer = await connect(lost.endpoint, { database: "Test" });
  const call = failure(writer.transact([{ op: "insert", table: "Parent", row: { name: "committed" } }]));
  await until(async () => (await inSource()).length > 0);
  between!.cut();
  const error = await call;
  expect([error.code, error.message]).toEqual(["OVSDB_OUTCOME_UNKNOWN", "transact was cancelled by the server, which does not say whether it was carried out"]);
  expect(await inSource()).toEqual(["committed"]);
  await writer.close();
  await lost.stop();
  await proxy.stop();
});

test("a write whose timeout expires is unknown; an aborted read is not", async () => {
  source.freeze(true);
  expect((await failure(insert("late", { timeout: 100 }))).code).toBe("OVSDB_OUTCOME_UNKNOWN");
  const wait = { op: "wait", table: "Parent", where: [["name", "==", "never"]], columns: ["name"], until: "==", rows: [{ name: "never" }] } as const;
  expect((await failure(client.transact([wait], { signal: AbortSignal.timeout(100) }))).code).toBe("OVSDB_ABORTED");
  source.freeze(false);
});

test("kill -9 of the source: no committed write is reported as not written", async () => {
  const outcomes = new Map<string, string>();
  const lane = async (id: number) => {
    for (let turn = 0; turn < 60; turn++) {
      const name = `${id}-${turn}`;
      await insert(name, { timeout: 1000, ...(turn % 3 === 0 && { signal: AbortSignal.timeout(turn % 5) }) }).then(
        () => outcomes.set(name, "done"),
        (error: OvsdbError) => outcomes.set(name, error.code),
      );
    }
  };
  const lanes = [0, 1, 2, 3].map(lane);
  await new Promise((resolve) => setTimeout(resolve, 30));
  await source.kill();
  await source.start();
  await Promise.all(lanes);
  const found = await inSource();
  expect(new Set(found).size).toBe(found.length);
  const named = (...codes: string[]) => [...outcomes].filter(([, code]) => codes.includes(code)).map(([name]) => name);
  expect(named("done").filter((name) => !found.includes(name))).toEqual([]);
  expect(named("OVSDB_ABORTED", "OVSDB_CONNECTION").filter((name) => found.includes(name))).toEqual([]);
});
