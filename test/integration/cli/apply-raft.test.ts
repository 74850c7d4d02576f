/** Applies of a Northbound database that three servers hold together. */
import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { changeRevertibly, openTarget, type RevertibleChange, startTimer } from "@pulumi-ovn/cli/testing";
import { connect, type Operation, type OvsdbClient } from "@pulumi-ovn/ovsdb-client";
import { APPLY_VARIABLE, Connections } from "@pulumi-ovn/provider/targets";
import { binaries } from "@pulumi-ovn/sandbox";
import { type Difference, difference, type Dump, parseDump } from "../../support/dump";
import { ended, guardProject, startGuard } from "../../support/guard";
import { cluster, isMember, runProgram, type TestCluster, type TestServer } from "../../support/ovsdb-server";
import { pathWithClient } from "../../support/path-with-client";
import { until } from "../../support/until";

jest.setTimeout(120_000);

const DATABASE = "OVN_Northbound";

let folder: string;
let group: TestCluster;
let client: OvsdbClient;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "raft-"));
  group = await cluster(3, { database: DATABASE, schema: (await binaries()).schema("ovn-nb.ovsschema") });
  client = await connect(group.endpoints, { database: DATABASE });
}, 60_000);
afterAll(async () => {
  await client?.close();
  await group?.remove();
  await rm(folder, { recursive: true, force: true });
});

const leader = (): TestServer => group.member(client.endpoint);

async function moved(move: (former: TestServer) => Promise<unknown>): Promise<TestServer> {
  const former = leader();
  await move(former);
  await until(() => client.connected && leader() !== former);
  return former;
}
const transferred = () => moved((former) => former.appctl("cluster/failure-test", "transfer-leadership"));
const killed = () => moved((former) => former.kill());

async function startAgain(member: TestServer): Promise<void> {
  await member.start();
  await until(() => isMember(member, DATABASE));
}

/** Rows of one server, which a follower may have later than its leader. */
async function rowsOf(member: TestServer): Promise<Dump> {
  const args = ["--no-leader-only", "--format=json", "dump", member.endpoint, DATABASE];
  return new Map(parseDump(await runProgram("ovsdb-client", args, group.folder), "nb"));
}

/** Waits until each server differs by this and nothing else. */
async function expectAll(before: Dump, wanted: Difference): Promise<void> {
  for (const member of group.members) {
    let found: Difference | undefined;
    const isSame = async () => JSON.stringify((found = difference(before, await rowsOf(member)))) === JSON.stringify(wanted);
    await until(isSame).catch(() => expect(found).toEqual(wanted));
  }
}

const addressSet = (name: string, uuid = randomUUID() as string): Operation => ({ op: "insert", uuid, table: "Address_Set", row: { name } });
const set = (name: string, address: string): Operation => ({
  op: "update",
  table: "Address_Set",
  where: [["name", "==", name]],
  row: { addresses: address },
});

/** Writes as an update of an apply does. */
async function updated(id: string, ...operations: Operation[]): Promise<void> {
  process.env[APPLY_VARIABLE] = id;
  const targets = new Connections({ node1: { northbound: group.endpoints } });
  try {
    await (await targets.get("node1", DATABASE)).transact(operations);
  } finally {
    delete process.env[APPLY_VARIABLE];
    await targets.close();
  }
}

it("undoes an apply whose database's leader moves before the update and while it is pending, by a guard and by a process on a follower's host", async () => {
  await client.transact([{ op: "insert", table: "NB_Global", row: {} }, addressSet("changed")]);
  const before = await rowsOf(leader());
  await using stack = new AsyncDisposableStack();
  const targets = new Connections({ node1: { northbound: group.endpoints } });
  stack.defer(() => targets.close());
  const target = await openTarget(targets, { kind: "zone", name: "node1", database: DATABASE });
  const guard = await startGuard(await guardProject(join(folder, "guard"), { zones: { node1: { northbound: group.endpoints } } }));
  stack.defer(() => void guard.process.kill("SIGKILL"));
  await until(async () => (await target.startTimer("", 1)) === "guard");

  const said: string[] = [];
  const seconds = 6;
  const change: RevertibleChange = {
    id: "0000000a",
    stack: "net/dev",
    seconds,
    before: { version: 3, deployment: {} as never },
    changing: [],
    update: async () => {
      await transferred();
      await updated("0000000a", set("changed", "10.0.0.1"), addressSet("new"));
    },
    verify: async () => [],
    isManual: true,
  };
  const engine = { name: "dev" } as never;
  expect(await changeRevertibly([target], change, { engine, folder, say: (text) => said.push(text) })).toBe("kept");
  expect(said[1]).toBe('  OVN_Northbound of zone "node1": the undo waits in pulumi-ovn guard, which survives the end of this command');
  const former = await killed();
  const uuid = randomUUID();
  await client.transact([addressSet("theirs", uuid)]);
  expect(await target.read()).toMatchObject({ id: "0000000a", phase: "pending", rows: 2 });
  await until(async () => (await target.read())?.phase === "undone");
  await startAgain(former);
  // The guard has its announcement at the new leader, too.
  expect(await target.startTimer("", 1)).toBe("guard");
  await target.forget("0000000a");
  const theirs = `nb Address_Set ${uuid}`;
  await expectAll(before, { added: [theirs], removed: [], changed: {} });
  expect(await ended(guard, "SIGTERM")).toEqual([143, null]);

  // The process asks a follower, which passes its transactions to whichever server is the leader.
  const follower = group.members.find((member) => member !== leader())!;
  const host = { command: ["env", `PATH=${await pathWithClient(join(folder, "bin"))}`] };
  const shell = { host, endpoint: follower.endpoint, stream: [], hasParts: false };
  expect(await startTimer(shell, { database: DATABASE, root: "NB_Global", id: "0000000b", seconds: 4 })).toBe(true);
  await target.layDown("0000000b", { stack: "net/dev", by: "me@here", deadline: "2030-01-01T00:00:00.000Z", timer: "host" });
  await updated("0000000b", set("changed", "10.0.0.2"), set("theirs", "10.0.0.3"));
  const other = await killed();
  await until(async () => (await target.read())?.phase === "undone");
  await startAgain(other);
  await target.forget("0000000b");
  await expectAll(before, { added: [theirs], removed: [], changed: {} });
});
