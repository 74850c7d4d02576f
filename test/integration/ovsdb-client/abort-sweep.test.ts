import { getEventListeners } from "node:events";
import { setImmediate } from "node:timers/promises";
import { connect, type Lock, Monitor, type OvsdbClient, type OvsdbError } from "@pulumi-ovn/ovsdb-client";
import { FakeServer } from "../../support/ovsdb-fake";
import { standalone } from "../../support/ovsdb-server";

/** Rounds of the event loop after which a call is aborted: more than any of these calls takes. */
const ROUNDS = 40;
const REASONS: readonly unknown[] = [null, undefined, "enough", new Error("enough")];

/** Every call is aborted after each number of rounds, for each kind of reason; `after` sees what it came to. */
async function sweep<T>(
  call: (signal: AbortSignal) => Promise<T>,
  after: (ended: { readonly value: T } | { readonly error: OvsdbError }) => Promise<void>,
): Promise<{ done: number; aborted: number }> {
  const count = { done: 0, aborted: 0 };
  for (let rounds = 0; rounds < ROUNDS; rounds++) {
    const controller = new AbortController();
    const ended = call(controller.signal).then(
      (value) => ({ value }),
      (error: OvsdbError) => ({ error }),
    );
    for (let round = 0; round < rounds; round++) await setImmediate();
    controller.abort(REASONS[rounds % REASONS.length]);
    const result = await ended;
    if ("value" in result) count.done++;
    else count.aborted++;
    await after(result);
    expect(getEventListeners(controller.signal, "abort")).toEqual([]);
  }
  return count;
}

/** A timer that a call leaves behind would be there as often as there are rounds; others of this process come and go. */
const FEW = 10;
const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === "Timeout").length;

describe("connect", () => {
  it.each<[string, (server: FakeServer) => string, boolean]>([
    ["a server that answers", ({ endpoint }) => endpoint, false],
    ["a server that says nothing", ({ endpoint }) => endpoint, true],
    ["the second of two, as there is none at the first", ({ endpoint }) => `unix:/nowhere.sock,${endpoint}`, false],
  ])("aborted anywhere, by whatever reason, leaves nothing: %s", async (_what, endpoints, silent) => {
    const server = await FakeServer.start(() => silent);
    const before = timers();
    try {
      const { done, aborted } = await sweep(
        (signal) => connect(endpoints(server), { database: "Test", signal, reconnect: { initialDelay: 1, maxDelay: 1 } }),
        async (ended) => {
          if ("value" in ended) await ended.value.close();
          else expect([ended.error.code, ended.error.message]).toEqual(["OVSDB_ABORTED", "connect was aborted"]);
          while (server.sockets.size > 0) await setImmediate();
        },
      );
      expect(done + aborted).toBe(ROUNDS);
      expect(aborted).toBeGreaterThan(0);
      if (silent) expect(done).toBe(0);
      expect(timers() - before).toBeLessThan(FEW);
    } finally {
      await server.stop();
    }
  });
});

describe("a call of a client that continues", () => {
  let server: Awaited<ReturnType<typeof standalone>>;
  let client: OvsdbClient;
  beforeAll(async () => {
    server = await standalone();
    client = await connect(server.endpoint, { database: "Test" });
  });
  afterAll(async () => {
    await client?.close();
    await server?.remove();
  });

  let attempt = 0;
  const calls: readonly [string, (signal: AbortSignal) => Promise<unknown>][] = [
    ["transact that writes", (signal) => client.transact([{ op: "insert", table: "Parent", row: { name: `row${++attempt}` } }], { signal })],
    ["transact that reads", (signal) => client.transact([{ op: "select", table: "Parent", where: [] }], { signal })],
    ["select", (signal) => client.select("Parent", {}, { signal })],
    ["getSchema", (signal) => client.getSchema({ signal })],
    ["monitor", (signal) => client.monitor({ Parent: {} }, { signal })],
    ["lock", (signal) => client.lock("mine", { signal })],
  ];

  it.each(calls)("%s: aborted anywhere, it leaves nothing behind, and the connection is as before", async (name, call) => {
    const before = timers();
    const { done, aborted } = await sweep(call, async (ended) => {
      if ("value" in ended) {
        if (ended.value instanceof Monitor) ended.value.cancel();
        if (name === "lock") await (ended.value as Lock).release();
      } else expect(ended.error.code).toBe("OVSDB_ABORTED");
      expect(client.connected).toBe(true);
      // The server answers every earlier request before this one.
      const [{ rows }] = await client.transact([{ op: "select", table: "Parent", where: [["name", "==", `row${attempt}`]], columns: ["name"] }]);
      // A write that was reported as done is in the database. A write that was reported as aborted is not.
      if (name === "transact that writes") expect(rows).toHaveLength("value" in ended ? 1 : 0);
    });
    // A known schema is returned immediately, so getSchema is never aborted.
    expect([done + aborted, aborted > 0]).toEqual([ROUNDS, name !== "getSchema"]);
    expect(timers() - before).toBeLessThan(FEW);
  });

  it("and the lock is free for others", async () => {
    const other = await connect(server.endpoint, { database: "Test" });
    try {
      const lock = await other.lock("mine");
      expect(lock.held).toBe(true);
      await lock.release();
    } finally {
      await other.close();
    }
  });
});
