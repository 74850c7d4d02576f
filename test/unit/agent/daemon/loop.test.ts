import { type HostState, NOTHING, type Problem, type Snapshot } from "@pulumi-ovn/agent";
import { type Convergence, Converging, Loop, RETRY, TIMES } from "@pulumi-ovn/agent/testing";
import { EMPTY_SNAPSHOT } from "../../../support/agent-input";

const REFUSED: Problem = { code: "OVN_AGENT_SOMETHING", subject: "br-ex", message: "not now" };

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

/** A host whose rounds end when the test ends them, with the given result. */
function setting({ snapshot = EMPTY_SNAPSHOT as Snapshot | null, reported = [] as Problem[], rounded = undefined as (() => void) | undefined } = {}) {
  const rounds: {
    readonly state: HostState;
    readonly newer: AbortSignal;
    readonly isScanDue: boolean;
    end(problems?: Problem[], changed?: number, looked?: boolean): Promise<void>;
    superseded(): Promise<void>;
    fail(error: Error): Promise<void>;
  }[] = [];
  const seen = { snapshot };
  const settle = () => jest.advanceTimersByTimeAsync(0);
  const converging = new Converging({
    source: { current: () => seen.snapshot, problems: () => reported },
    host: {
      converge: (state, newer, isScanDue) =>
        new Promise((resolve, reject) => {
          rounds.push({
            state,
            newer,
            isScanDue,
            end: async (problems = [], changed = 0, looked = true) => {
              resolve({ problems, changed, isScanned: looked });
              await settle();
            },
            superseded: async () => {
              resolve(undefined);
              await settle();
            },
            fail: async (error) => {
              reject(error);
              await settle();
            },
          });
        }),
    },
  });
  const loop = new Loop<Convergence>((last) => converging.round(last), rounded);
  const renew = () => {
    converging.renew();
    loop.wake();
  };
  const demandScan = () => {
    converging.demandScan();
    loop.wake();
  };
  return { loop, rounds, seen, settle, renew, demandScan, problems: () => converging.problems(loop.last) };
}

test("a hundred events during a round cause one more round", async () => {
  const { loop, rounds } = setting();
  loop.wake();
  for (let event = 0; event < 100; event++) loop.wake();
  expect(rounds).toHaveLength(1);
  await rounds[0]!.end();
  expect(rounds).toHaveLength(2);
  await rounds[1]!.end();
  expect(rounds).toHaveLength(2);
  expect(loop.counters.rounds).toBe(2);
});

test("nothing is removed before the databases were read, and the last read state stays", async () => {
  const { loop, rounds, seen, settle } = setting({ snapshot: null });
  loop.wake();
  await settle();
  expect([rounds.length, loop.last]).toEqual([0, undefined]);
  seen.snapshot = EMPTY_SNAPSHOT;
  loop.wake();
  await settle();
  expect(rounds[0]!.state).toEqual(NOTHING);
});

test("a failed round is retried with growing pauses, and immediately after an event; after a success the usual interval applies", async () => {
  const { loop, rounds, problems } = setting();
  loop.wake();
  const pauses = [300, 600, 1200, 2400, 4800, 9600, RETRY.longest, RETRY.longest];
  for (const [index, pause] of pauses.entries()) {
    await rounds[index]!.end([REFUSED]);
    expect(problems()).toEqual([REFUSED]);
    await jest.advanceTimersByTimeAsync(pause - 1);
    expect(rounds).toHaveLength(index + 1);
    await jest.advanceTimersByTimeAsync(1);
    expect(rounds).toHaveLength(index + 2);
  }
  await rounds.at(-1)!.end([REFUSED]);
  loop.wake();
  expect(rounds).toHaveLength(pauses.length + 2);
  await rounds.at(-1)!.end();
  expect([problems(), loop.counters.failures]).toEqual([[], pauses.length + 1]);
  await jest.advanceTimersByTimeAsync(TIMES.reconcile - 1);
  expect(rounds).toHaveLength(pauses.length + 2);
  await jest.advanceTimersByTimeAsync(1);
  expect(rounds).toHaveLength(pauses.length + 3);
});

test("a round that throws is reported as a problem, and the loop continues", async () => {
  const { loop, rounds, problems } = setting();
  loop.wake();
  await rounds[0]!.fail(new Error("no ip"));
  expect(problems()).toEqual([{ code: "OVN_AGENT_FAILED", subject: "round", message: "no ip" }]);
  await jest.advanceTimersByTimeAsync(RETRY.first);
  await rounds[1]!.end();
  expect(problems()).toEqual([]);
});

test("problems of the databases are reported and not retried: only an event can solve them", async () => {
  const snapshot = { ...EMPTY_SNAPSHOT, exposures: { one: "not JSON" } };
  const { loop, rounds, problems } = setting({ snapshot, reported: [REFUSED] });
  loop.wake();
  await rounds[0]!.end();
  expect(problems().map(({ code }) => code)).toEqual(["OVN_AGENT_SOMETHING", "OVN_AGENT_EXPOSURE"]);
  await jest.advanceTimersByTimeAsync(TIMES.reconcile - 1);
  expect(rounds).toHaveLength(1);
});

test("after stop no round begins, and stop waits for the round in progress", async () => {
  const { loop, rounds, problems } = setting();
  loop.wake();
  loop.wake();
  let stopped = false;
  const stop = loop.stop().then(() => (stopped = true));
  await jest.advanceTimersByTimeAsync(10);
  expect(stopped).toBe(false);
  await rounds[0]!.fail(new Error("aborted"));
  await stop;
  loop.wake();
  await jest.advanceTimersByTimeAsync(2 * TIMES.reconcile);
  expect([rounds.length, problems()]).toEqual([1, []]);
});

test("rows that can't be processed are a problem, and the previous desired state stays", async () => {
  const asked = JSON.stringify({
    version: 1,
    chassis: ["node1"],
    asNumber: 64513,
    table: 1200,
    floatingIPs: false,
    loadBalancers: false,
    providerPorts: true,
    tenantAddresses: "all",
  });
  const { loop, rounds, seen, settle, problems } = setting({ snapshot: { ...EMPTY_SNAPSHOT, exposures: { asked } } });
  loop.wake();
  await rounds[0]!.end();
  seen.snapshot = {
    ...EMPTY_SNAPSHOT,
    get exposures(): never {
      throw new Error("unreadable");
    },
  };
  loop.wake();
  await settle();
  expect(rounds).toHaveLength(1);
  expect(problems()).toEqual([{ code: "OVN_AGENT_FAILED", subject: "round", message: "unreadable" }]);
  expect(rounds[0]!.state.bgp?.table).toBe(1200);
  expect(loop.last!.wanted).toBe(rounds[0]!.state);
  await loop.stop();
});

test("a round from the cache is followed by a scan", async () => {
  const { loop, rounds, problems } = setting();
  loop.wake();
  await rounds[0]!.end([REFUSED], 2, false);
  expect([problems(), loop.last?.changed, loop.counters.changes]).toEqual([[REFUSED], 2, 2]);
  await jest.advanceTimersByTimeAsync(TIMES.settle - 1);
  expect(rounds).toHaveLength(1);
  await jest.advanceTimersByTimeAsync(1);
  expect(rounds).toHaveLength(2);
  await rounds[1]!.end();
  await jest.advanceTimersByTimeAsync(TIMES.reconcile - 1);
  expect(rounds).toHaveLength(2);
});

test("a round that changed the host is followed by a scan; a failed round is retried at its own interval", async () => {
  const { loop, rounds } = setting();
  loop.wake();
  await rounds[0]!.end([], 3);
  await jest.advanceTimersByTimeAsync(TIMES.settle - 1);
  expect(rounds).toHaveLength(1);
  await jest.advanceTimersByTimeAsync(1);
  for (const pause of [300, 600]) {
    const before = rounds.length;
    await rounds.at(-1)!.end([REFUSED], 3);
    await jest.advanceTimersByTimeAsync(pause - 1);
    expect(rounds).toHaveLength(before);
    await jest.advanceTimersByTimeAsync(1);
    expect(rounds).toHaveLength(before + 1);
  }
  await rounds.at(-1)!.end();
  await jest.advanceTimersByTimeAsync(TIMES.reconcile - 1);
  expect([rounds.length, loop.counters.changes]).toEqual([4, 9]);
});

describe("after a scan without a difference", () => {
  async function settled() {
    const all = setting();
    all.loop.wake();
    await all.rounds[0]!.end();
    return all;
  }

  test("changes of the databases that need no step cause no scan, and do not delay the next one", async () => {
    const { rounds, renew } = await settled();
    const period = 1_000;
    for (let since = period; since < TIMES.reconcile; since += period) {
      await jest.advanceTimersByTimeAsync(period);
      renew();
      await rounds.at(-1)!.end([], 0, false);
    }
    expect(rounds.filter(({ isScanDue }) => isScanDue)).toHaveLength(1);
    await jest.advanceTimersByTimeAsync(period);
    expect(rounds.filter(({ isScanDue }) => isScanDue)).toHaveLength(2);
    expect(rounds.at(-1)!.isScanDue).toBe(true);
  });

  test("one scan verifies several changes, which do not delay it", async () => {
    const { rounds, renew } = await settled();
    for (let change = 0; change < 3; change++) {
      renew();
      await rounds.at(-1)!.end([], 1, false);
      await jest.advanceTimersByTimeAsync(400);
    }
    expect(rounds.map(({ isScanDue }) => isScanDue)).toEqual([true, false, false, false]);
    await jest.advanceTimersByTimeAsync(TIMES.verify - 1_200);
    expect(rounds.map(({ isScanDue }) => isScanDue)).toEqual([true, false, false, false, true]);
  });

  test("an event of the host causes one, also during a round, and also if a newer state ends that scan", async () => {
    const { rounds, renew, demandScan } = await settled();
    renew();
    demandScan();
    await rounds[1]!.end([], 1, false);
    expect(rounds.map(({ isScanDue }) => isScanDue)).toEqual([true, false, true]);
    renew();
    await rounds[2]!.superseded();
    expect(rounds.map(({ isScanDue }) => isScanDue)).toEqual([true, false, true, true]);
  });

  test("a due scan that gives way to a change follows it", async () => {
    const { rounds, demandScan } = await settled();
    demandScan();
    await rounds[1]!.end([], 1, false);
    await jest.advanceTimersByTimeAsync(TIMES.settle);
    expect(rounds.map(({ isScanDue }) => isScanDue)).toEqual([true, true, true]);
  });
});

test("changes of the databases end the scan in progress, changes of the host do not; an abandoned round is not reported", async () => {
  const { loop, rounds, problems, renew } = setting();
  renew();
  expect(rounds[0]!.newer.aborted).toBe(false);
  renew();
  expect(rounds[0]!.newer.aborted).toBe(true);
  await rounds[0]!.end([REFUSED], 1);
  expect(rounds[1]!.newer.aborted).toBe(false);
  loop.wake();
  expect(rounds[1]!.newer.aborted).toBe(false);
  renew();
  expect(rounds[1]!.newer.aborted).toBe(true);
  await rounds[1]!.superseded();
  expect([rounds.length, rounds[2]!.newer.aborted]).toEqual([3, false]);
  expect([problems(), loop.counters.rounds, loop.last?.changed]).toEqual([[REFUSED], 1, 1]);
});

test("after stop nothing keeps the process running", async () => {
  for (const working of [true, false]) {
    const { loop, rounds } = setting();
    loop.wake();
    if (!working) await rounds[0]!.end();
    expect(jest.getTimerCount()).toBe(working ? 0 : 1);
    const stopped = loop.stop();
    await rounds[0]!.end();
    await stopped;
    expect(jest.getTimerCount()).toBe(0);
    loop.wake();
    expect([rounds.length, jest.getTimerCount()]).toEqual([1, 0]);
  }
});

test("each round is reported with its time; the time of the last change only after a change", async () => {
  const seen: unknown[] = [];
  const { loop, rounds } = setting({ rounded: () => seen.push([loop.counters.rounds, loop.counters.took, loop.lastChange]) });
  jest.setSystemTime(1_000);
  loop.wake();
  await jest.advanceTimersByTimeAsync(250);
  await rounds[0]!.end();
  loop.wake();
  await jest.advanceTimersByTimeAsync(100);
  await rounds[1]!.end([], 1);
  loop.wake();
  await rounds[2]!.end();
  expect(seen).toEqual([
    [1, 250, undefined],
    [2, 350, 1_350],
    [3, 350, 1_350],
  ]);
});
