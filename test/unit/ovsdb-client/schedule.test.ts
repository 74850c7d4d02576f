import { getEventListeners } from "node:events";
import fc from "fast-check";
import { connect, OvsdbError, type OvsdbClient } from "@pulumi-ovn/ovsdb-client";
import { MEMBER, Moody, ROW, type Verdict } from "../../support/moody-server";
import { OpenTimers } from "../../support/open-timers";
import { FakeServer } from "../../support/ovsdb-fake";
import { Hang, Later, promptly } from "../../support/own-timers";

const verdict = fc.constantFrom<Verdict>("answer", "answer", "answer", "late", "ignore", "drop", "answer and drop");
const step = fc.oneof(
  fc.record({ kind: fc.constantFrom("write", "read", "monitor", "lock", "wait", "schema"), stop: fc.constantFrom("never", "unused", "now", "soon", "late") }),
  fc.record({ kind: fc.constantFrom("cut", "move", "convert", "probe", "turn", "turn", "pause"), stop: fc.constant("never") }),
);
type Step = Readonly<{ kind: string; stop: string }>;

/** Milliseconds of a call; of the server's moods behind the last step: longer, so that calls also end without an answer. */
const TIMEOUT = 120;
const MOODS = 200;

/** Outcomes of the calls of one run: of writes by name, of the others by count. */
class Outcomes {
  readonly written = new Map<string, string>();
  ok = 0;
  failed = 0;
  /** That were left open. */
  timers = 0;
  private readonly open = new Set<string>();
  private readonly ended: Promise<void>[] = [];

  /** `label` names what is waited for. */
  async settled(label: string, promise: Promise<unknown>): Promise<void> {
    this.open.add(label);
    await promise;
    this.open.delete(label);
  }

  add(label: string, call: Promise<unknown>): void {
    const outcome = call.then(
      () => "OK",
      (error: unknown) => {
        expect(error).toBeInstanceOf(OvsdbError);
        return (error as OvsdbError).code;
      },
    );
    const noted = outcome.then((code) => {
      if (label.startsWith("write")) this.written.set(label, code);
      if (code === "OK") this.ok++;
      else this.failed++;
    });
    this.ended.push(this.settled(label, noted));
  }

  get pending(): string {
    return [...this.open].join(", ");
  }

  async all(): Promise<void> {
    await Promise.all(this.ended);
  }
}

const write = (name: string) => [{ op: "insert", table: "T", row: { name } }] as const;
const read = [{ op: "select", table: "T", where: [] }] as const;

async function waited(client: OvsdbClient, name: string, options: { signal?: AbortSignal }): Promise<void> {
  const lock = await client.lock(name, options);
  await lock.acquired(options);
  await lock.release();
}

/** Plays a schedule with an open client, and closes it. */
async function play(
  client: OvsdbClient,
  fake: FakeServer,
  moody: Moody,
  later: Later,
  steps: readonly Step[],
  closeAt: number,
  outcomes: Outcomes,
): Promise<void> {
  const signals: AbortSignal[] = [];
  let closing: Promise<void> | undefined;
  for (const [at, { kind, stop }] of steps.entries()) {
    if (at === closeAt) closing = outcomes.settled("close", client.close());
    const controller = new AbortController();
    signals.push(controller.signal);
    const options = stop === "never" ? {} : { signal: controller.signal };
    const label = `${kind} ${at}`;
    if (kind === "write") outcomes.add(label, client.transact(write(label), options));
    else if (kind === "read") outcomes.add(label, client.transact(read, options));
    else if (kind === "monitor") outcomes.add(label, client.monitor({ T: {} }, options));
    else if (kind === "schema") outcomes.add(label, client.getSchema(options));
    else if (kind === "lock") outcomes.add(label, client.lock(label, options));
    else if (kind === "wait") outcomes.add(label, waited(client, label, options));
    else if (kind === "pause") await new Promise<void>((resolve) => later.do(4, resolve));
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
    if (stop === "late") later.do(5, () => controller.abort("late"));
  }
  const stop = later.do(MOODS, () => moody.calm());
  if (closing === undefined) await outcomes.all();
  stop();
  await (closing ?? outcomes.settled("close", client.close()));
  // All calls that were open at the close have failed by then.
  await outcomes.all();
  await later.done();
  expect(signals.flatMap((signal) => getEventListeners(signal, "abort"))).toEqual([]);
}

async function run(steps: readonly Step[], verdicts: readonly Verdict[], closeAt: number): Promise<Outcomes> {
  const [later, outcomes] = [new Later(), new Outcomes()];
  const moody = new Moody(verdicts, later);
  // A probe, too, may come before the connection is made: on a busy machine that takes its time.
  let isHonest = true;
  const fake = await FakeServer.start((request, socket) => !isHonest && moody.answer(request, socket), ROW);
  const timers = new OpenTimers();
  let client: OvsdbClient | undefined;
  try {
    const connecting = connect(fake.endpoint, {
      database: "Test",
      timeout: TIMEOUT,
      connectTimeout: 60_000,
      probeInterval: 50,
      reconnect: { initialDelay: 1, maxDelay: 3 },
    });
    client = await promptly(connecting, () => "connect");
    isHonest = false;
    await promptly(play(client, fake, moody, later, steps, closeAt, outcomes), () => `${outcomes.pending} (connections: ${fake.connections})`);
  } catch (error) {
    // This may be the cause, too.
    void client?.close();
    throw error;
  } finally {
    outcomes.timers = timers.end();
    await promptly(fake.stop(), () => "the end of the server");
  }
  expect(outcomes.timers).toBe(0);
  expect(new Set(moody.came).size).toBe(moody.came.length);
  for (const [name, outcome] of outcomes.written) {
    if (outcome === "OK") expect(moody.done.has(name)).toBe(true);
    else if (outcome !== "OVSDB_OUTCOME_UNKNOWN") expect([name, outcome, moody.done.has(name)]).toEqual([name, outcome, false]);
  }
  return outcomes;
}

test("in any order of calls, aborts, lost connections and the end: every call settles, no write is sent twice or allowed to be lost, no timer or listener stays", async () => {
  const unhandled: unknown[] = [];
  const note = (reason: unknown) => unhandled.push(reason);
  process.on("unhandledRejection", note);
  // A slow machine runs fewer schedules. A schedule that hangs is reported without shrinking, because each shorter one would hang as long.
  const end = performance.now() + 60_000;
  let hangs = false;
  let [ok, failed] = [0, 0];
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 1, maxLength: 14 }),
      fc.array(verdict, { minLength: 1, maxLength: 9 }),
      fc.nat({ max: 40 }),
      async (...schedule) => {
        if (hangs || performance.now() > end) return;
        try {
          const outcomes = await run(...schedule);
          ok += outcomes.ok;
          failed += outcomes.failed;
        } catch (error) {
          hangs = error instanceof Hang;
          throw error;
        }
      },
    ),
    {
      numRuns: 150,
      examples: [
        // The client is closed while it gives a lock back.
        [
          [
            { kind: "wait", stop: "never" },
            { kind: "cut", stop: "never" },
          ],
          ["answer"],
          1,
        ],
      ],
    },
  );
  await new Promise((resolve) => setImmediate(resolve));
  process.off("unhandledRejection", note);
  expect(unhandled).toEqual([]);
  // Neither all calls nor none have failed.
  expect([ok > 20, failed > 20]).toEqual([true, true]);
}, 180_000);
