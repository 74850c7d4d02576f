import { getEventListeners } from "node:events";
import type { Socket } from "node:net";
import fc from "fast-check";
import { connect, OvsdbError, type OvsdbClient } from "@pulumi-ovn/ovsdb-client";
import { FakeServer, reply, type Request } from "../../support/ovsdb-fake";

const SCHEMA = { name: "Test", version: "1.0.0", tables: { T: { columns: { name: { type: "string" } } } } };
/** So many requests at most: verdicts that come round with each new connection would never let one through. */
const MOODS = 60;
const MEMBER = "11111111-1111-1111-1111-111111111111";
const ZERO = "00000000-0000-0000-0000-000000000000";

/** What the server does with a request. */
const verdict = fc.constantFrom("answer", "answer", "answer", "late", "ignore", "drop", "answer and drop");
const step = fc.oneof(
  fc.record({ kind: fc.constantFrom("write", "read", "monitor", "lock", "wait", "schema"), stop: fc.constantFrom("never", "unused", "now", "soon", "late") }),
  fc.record({ kind: fc.constantFrom("cut", "move", "convert", "probe", "turn", "turn", "pause"), stop: fc.constant("never") }),
);

/** Timers that were set, and have neither fired for the last time nor been cleared. */
class Timers {
  private readonly open = new Set<unknown>();
  private readonly spies: jest.SpyInstance[] = [];

  constructor() {
    const { setTimeout, setInterval, clearTimeout, clearInterval } = globalThis;
    const { open } = this;
    const set = (timer: typeof setTimeout | typeof setInterval, once: boolean) => (call: () => void, delay: number) => {
      const handle: unknown = timer(() => {
        if (once) open.delete(handle);
        call();
      }, delay);
      open.add(handle);
      return handle;
    };
    const clear = (timer: typeof clearTimeout) => (handle: NodeJS.Timeout) => {
      open.delete(handle);
      timer(handle);
    };
    const spy = (name: "setTimeout" | "setInterval" | "clearTimeout" | "clearInterval", how: (...args: never[]) => unknown) =>
      this.spies.push(jest.spyOn(globalThis, name).mockImplementation(how as never));
    spy("setTimeout", set(setTimeout, true));
    spy("setInterval", set(setInterval, false));
    spy("clearTimeout", clear(clearTimeout));
    spy("clearInterval", clear(clearInterval));
  }

  end(): number {
    for (const each of this.spies) each.mockRestore();
    return this.open.size;
  }
}

/** A server that does with each request what the schedule says, as long as it has moods, and remembers which writes it has carried out. */
class Moody {
  /** Writes that have come, by name, and those that were carried out, or may have been. */
  readonly came: string[] = [];
  readonly done = new Set<string>();
  private turn = 0;
  private readonly open = new Map<unknown, string>();

  constructor(private readonly verdicts: readonly string[]) {}

  answer(request: Request, socket: Socket): boolean {
    const { id, method, params } = request;
    if (method === "cancel") {
      if (this.open.delete(params[0])) socket.write(JSON.stringify({ id: params[0], result: null, error: "canceled" }));
      return true;
    }
    if (id === null || method === undefined) return true;
    const what = this.turn < MOODS ? this.verdicts[this.turn++ % this.verdicts.length]! : "answer";
    const name = method === "transact" ? (params[1] as { row?: { name: string } }).row?.name : undefined;
    if (name !== undefined) this.came.push(name);
    if (name !== undefined && what !== "ignore") this.done.add(name);
    if (what === "ignore" && name !== undefined) this.open.set(id, name);
    if (what === "late") setTimeout(() => this.say(request, socket), 3);
    else if (what.startsWith("answer")) this.say(request, socket);
    if (what === "drop") socket.destroy();
    if (what === "answer and drop") socket.end();
    return true;
  }

  private say({ id, method, params }: Request, socket: Socket): void {
    if (socket.destroyed) return;
    const first = params[0];
    if (method === "get_schema") reply(socket, id, SCHEMA);
    else if (method === "monitor_cond" && first === "_Server")
      reply(socket, id, { Database: { [MEMBER]: { initial: { name: "Test", model: "clustered", connected: true, leader: true } } } });
    else if (method === "monitor_cond_since") reply(socket, id, [false, ZERO, { T: { one: { initial: { name: "one" } } } }]);
    else if (method === "lock") reply(socket, id, { locked: true });
    else if (method === "transact") reply(socket, id, [params[1] !== undefined && "row" in (params[1] as object) ? { uuid: ["uuid", MEMBER] } : { rows: [] }]);
    else if (method === "echo") reply(socket, id, params);
    else reply(socket, id, {});
  }
}

/** One run; returns what became of the calls. */
async function run(
  steps: readonly { readonly kind: string; readonly stop: string }[],
  verdicts: readonly string[],
  closeAt: number,
): Promise<{ readonly ok: number; readonly failed: number }> {
  const moody = new Moody(verdicts);
  let honest = true;
  const fake = await FakeServer.start(
    (request, socket) => !(honest && (request.method.startsWith("monitor_cond") || request.method.startsWith("set_db"))) && moody.answer(request, socket),
    {
      name: "Test",
      model: "clustered",
      connected: true,
      leader: true,
    },
  );
  const timers = new Timers();
  const count = { ok: 0, failed: 0 };
  const signals: AbortSignal[] = [];
  let client: OvsdbClient | undefined;
  try {
    client = await connect(fake.endpoint, {
      database: "Test",
      timeout: 120,
      connectTimeout: 2000,
      probeInterval: 50,
      reconnect: { initialDelay: 1, maxDelay: 3 },
    });
    honest = false;
    const c = client;
    const ended: Promise<void>[] = [];
    const written = new Map<string, string>();
    const settle = (promise: Promise<unknown>, name?: string) =>
      ended.push(
        promise.then(
          () => {
            count.ok++;
            if (name !== undefined) written.set(name, "OK");
          },
          (error: unknown) => {
            count.failed++;
            expect(error).toBeInstanceOf(OvsdbError);
            if (name !== undefined) written.set(name, (error as OvsdbError).code);
          },
        ),
      );
    let closing: Promise<void> | undefined;
    for (const [at, { kind, stop }] of steps.entries()) {
      if (at === closeAt) closing = c.close();
      const controller = new AbortController();
      signals.push(controller.signal);
      const options = stop === "never" ? {} : { signal: controller.signal };
      if (kind === "write") settle(c.transact([{ op: "insert", table: "T", row: { name: `w${at}` } }], options), `w${at}`);
      else if (kind === "read") settle(c.transact([{ op: "select", table: "T", where: [] }], options));
      else if (kind === "monitor") settle(c.monitor({ T: {} }, options));
      else if (kind === "schema") settle(c.getSchema(options));
      else if (kind === "lock") settle(c.lock(`l${at}`, options));
      else if (kind === "wait")
        settle(
          c.lock(`l${at}`, options).then(async (lock) => {
            await lock.acquired(options);
            await lock.release();
          }),
        );
      else if (kind === "pause") await new Promise((resolve) => setTimeout(resolve, 4));
      else if (kind === "turn") await new Promise((resolve) => setImmediate(resolve));
      for (const socket of fake.sockets) {
        if (kind === "cut") socket.destroy();
        if (kind === "move")
          socket.write(JSON.stringify({ id: null, method: "update2", params: [["_Server"], { Database: { [MEMBER]: { modify: { leader: false } } } }] }));
        if (kind === "convert") socket.write(JSON.stringify({ id: null, method: "monitor_canceled", params: [["_Schema"]] }));
        if (kind === "probe") socket.write('{"id":"p","method":"echo","params":[]}'.repeat(50));
      }
      if (stop === "now") controller.abort();
      if (stop === "soon") setImmediate(() => controller.abort(null));
      if (stop === "late") setTimeout(() => controller.abort("late"), 5);
    }
    if (closing === undefined) await Promise.all(ended);
    await (closing ?? c.close());
    // Whatever was open when the client was closed has failed by then.
    await Promise.all(ended);
    expect(new Set(moody.came).size).toBe(moody.came.length);
    for (const [name, outcome] of written) {
      if (outcome === "OK") expect(moody.done.has(name)).toBe(true);
      else if (outcome !== "OVSDB_OUTCOME_UNKNOWN") expect([name, outcome, moody.done.has(name)]).toEqual([name, outcome, false]);
    }
    await new Promise((resolve) => setTimeout(resolve, 8));
    expect(signals.flatMap((signal) => getEventListeners(signal, "abort"))).toEqual([]);
    return count;
  } finally {
    await client?.close();
    await fake.stop();
    expect(timers.end()).toBe(0);
  }
}

test("whatever the order of calls, aborts, lost connections and the end: every call settles, no write is sent twice or told to be lost, no timer or listener stays", async () => {
  const unhandled: unknown[] = [];
  const note = (reason: unknown) => unhandled.push(reason);
  process.on("unhandledRejection", note);
  let [ok, failed] = [0, 0];
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 1, maxLength: 14 }),
      fc.array(verdict, { minLength: 1, maxLength: 9 }),
      fc.nat({ max: 40 }),
      async (...schedule) => {
        const count = await run(...schedule);
        ok += count.ok;
        failed += count.failed;
      },
    ),
    { numRuns: 150 },
  );
  await new Promise((resolve) => setImmediate(resolve));
  process.off("unhandledRejection", note);
  expect(unhandled).toEqual([]);
  // Neither all calls nor none have failed.
  expect([ok > 20, failed > 20]).toEqual([true, true]);
}, 120_000);
