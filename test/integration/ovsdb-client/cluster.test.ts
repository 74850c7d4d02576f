/**
 * A cluster whose servers stop during writes.
 * @once
 */
import { setTimeout as sleep } from "node:timers/promises";
import { connect, type OvsdbClient, type OvsdbError, type WireRow } from "@pulumi-ovn/ovsdb-client";
import { failure } from "../../support/failure";
import { cluster, isMember, type TestCluster } from "../../support/ovsdb-server";
import { until } from "../../support/until";

let group: TestCluster;
let client: OvsdbClient;
const outcomes = { done: [] as string[], unknown: [] as string[], unsent: 0 };

beforeAll(async () => {
  group = await cluster();
  client = await connect(group.endpoints, { database: "Test", connectTimeout: 20_000, reconnect: { initialDelay: 20 } });
}, 60_000);
afterAll(async () => {
  await client?.close();
  await group?.remove();
});

const insert = (name: string, timeout = 20_000) =>
  client.transact(
    [
      { op: "insert", table: "Parent", row: { name } },
      { op: "commit", durable: true },
    ],
    { timeout },
  );

/** Writes one row after the other, in four lanes, while `disturb` runs; returns the longest time without a success. */
async function under(label: string, disturb: () => Promise<void>): Promise<void> {
  let stop = false;
  let last = performance.now();
  let gap = 0;
  const [done, unknown] = [outcomes.done.length, outcomes.unknown.length];
  const lane = async (id: number) => {
    for (let turn = 0; !stop; turn++) {
      const name = `${label}-${id}-${turn}`;
      try {
        await insert(name);
        outcomes.done.push(name);
        gap = Math.max(gap, performance.now() - last);
        last = performance.now();
      } catch (error) {
        if ((error as OvsdbError).code === "OVSDB_OUTCOME_UNKNOWN") outcomes.unknown.push(name);
        else outcomes.unsent++;
      }
      await sleep(2);
    }
  };
  const lanes = [0, 1, 2, 3].map(lane);
  const progress = async () => {
    const before = outcomes.done.length;
    await until(() => outcomes.done.length >= before + 20);
  };
  await progress();
  await disturb();
  await progress();
  stop = true;
  await Promise.all(lanes);
  process.stdout.write(`  ${label}: ${outcomes.done.length - done} written, ${outcomes.unknown.length - unknown} unknown, longest gap ${Math.round(gap)} ms\n`);
}

async function verify(): Promise<void> {
  const [{ rows }] = await client.transact([{ op: "select", table: "Parent", where: [], columns: ["_uuid", "name"] }]);
  const found = rows.map((row: WireRow) => row["name"] as string);
  const present = new Set(found);
  expect(present.size).toBe(found.length);
  expect(outcomes.done.filter((name) => !present.has(name))).toEqual([]);
  const known = new Set([...outcomes.done, ...outcomes.unknown]);
  expect(found.filter((name) => !known.has(name))).toEqual([]);
}

/** Writes rows of new names until one is known to be there; returns its name. */
async function untilDone(label: string): Promise<string> {
  for (let turn = 0; ; turn++) {
    const name = `${label}-${turn}`;
    const error = await insert(name, 3000).then(
      () => undefined,
      (failed: OvsdbError) => failed,
    );
    if (error === undefined) {
      outcomes.done.push(name);
      return name;
    }
    expect(["OVSDB_OUTCOME_UNKNOWN", "OVSDB_CONNECTION", "OVSDB_TIMEOUT"]).toContain(error.code);
    outcomes.unknown.push(name);
  }
}

const leader = () => group.member(client.endpoint);

test("finds the leader, or a follower on request", async () => {
  const followers = group.members.filter((member) => member !== leader());
  expect(followers).toHaveLength(2);
  const error = await failure(connect(followers[0]!.endpoint, { database: "Test", connectTimeout: 300 }));
  expect([error.name, error.code]).toEqual(["NotLeaderError", "OVSDB_CONNECTION"]);
  await using reader = await connect(followers[0]!.endpoint, { database: "Test", leaderOnly: false });
  expect(await reader.transact([{ op: "select", table: "Few", where: [] }])).toEqual([{ rows: [] }]);
});

test("loses no write, and has no unknown outcome, during a transfer of leadership", async () => {
  const unknown = outcomes.unknown.length;
  const before = leader();
  await under("transfer", async () => {
    await before.appctl("cluster/failure-test", "transfer-leadership");
    await until(() => leader() !== before);
  });
  expect(outcomes.unknown.length).toBe(unknown);
  await verify();
});

test("a monitor continues on each next member", async () => {
  const monitor = await client.monitor({ Parent: { columns: ["name"] } });
  const before = leader();
  await before.stop();
  // The client may notice the lost connection only at its next write, whose outcome is then unknown.
  const written = await untilDone("after-stop");
  expect(leader()).not.toBe(before);
  await until(() => monitor.current);
  expect([...monitor.table("Parent")].filter((row) => row.get("name") === written)).toHaveLength(1);
  expect(monitor.table("Parent").size).toBe((await client.transact([{ op: "select", table: "Parent", where: [], columns: ["_uuid"] }]))[0].rows.length);
  monitor.cancel();
  await before.start();
});

test("survives kill -9 of the leader", async () => {
  const before = leader();
  await under("kill", async () => {
    await before.kill();
    await until(() => leader() !== before);
    await before.start();
  });
  await verify();
});

test("survives a rolling restart", async () => {
  await under("rolling", async () => {
    for (const member of group.members) {
      await member.stop();
      await member.start();
      await until(() => isMember(member));
    }
  });
  await verify();
});

test("without a quorum a write is unknown or not sent, never confirmed; the later contents agree", async () => {
  const survivor = leader();
  const others = group.members.filter((member) => member !== survivor);
  await Promise.all(others.map((member) => member.kill()));
  const errors = await Promise.all(Array.from({ length: 4 }, (_, at) => failure(insert(`quorum-${at}`, 3000))));
  for (const [at, { code }] of errors.entries()) {
    expect(["OVSDB_OUTCOME_UNKNOWN", "OVSDB_CONNECTION"]).toContain(code);
    if (code === "OVSDB_OUTCOME_UNKNOWN") outcomes.unknown.push(`quorum-${at}`);
  }
  await Promise.all(others.map((member) => member.start()));
  // A write that reaches the old leader while it steps down may never be answered.
  await untilDone("back");
  await verify();
});
