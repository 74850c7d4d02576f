import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { binaries } from "@pulumi-ovn/sandbox";
import { commandOf, processTree, until } from "@pulumi-ovn/sandbox/testing";
import { cluster, isMember, runProgram, type TestCluster, type TestServer } from "../support/ovsdb-server";
import { processesWith, survivors } from "../support/processes";
import { Workspace } from "../support/workspace";

jest.setTimeout(300_000);

const DATABASE = "OVN_Northbound";
/** A way to a member over a program, as ssh is. */
const RELAY = `const s=require("net").connect(process.argv[1]);process.stdin.pipe(s);s.pipe(process.stdout)`;
const over = ({ socket }: TestServer) => `exec:node -e '${RELAY}' ${socket}`;
const programs = () => group.members.flatMap(({ socket }) => processesWith(`process.stdout) ${socket}`));

/** Milliseconds for all processes of a killed Pulumi to end. */
const PATIENCE = 10_000;

let group: TestCluster;
let workspace: Workspace;
beforeAll(async () => {
  group = await cluster(3, { database: DATABASE, schema: (await binaries()).schema("ovn-nb.ovsschema") });
  await nbctl("init");
  workspace = await Workspace.create(program(0), { node1: { northbound: group.members.map(over).join(",") } });
}, 120_000);
afterAll(async () => {
  await workspace?.[Symbol.asyncDispose]();
  await group?.remove();
});

const nbctl = (...args: string[]) => runProgram("ovn-nbctl", [`--db=${group.endpoints}`, "--timeout=20", ...args], group.folder);

/** Three rows of one resource, so of one transaction, all with the version. */
const program = (version: number) => {
  const entry = (name: string) => [name, { table: "Logical_Router", columns: { name, options: { version: String(version) } } }];
  return `new ovn.NorthboundRows("rows", ${JSON.stringify({ zone: "node1", entries: Object.fromEntries(["a", "b", "c"].map(entry)) })});`;
};

/** Versions of the rows. */
const versions = async () =>
  (await nbctl("--bare", "--columns=name,options", "list", "Logical_Router"))
    .split("\n")
    .flatMap((line) => /version=(\d+)/.exec(line)?.[1] ?? [])
    .map(Number);

const all = (version: number) => [version, version, version];

async function leader(): Promise<TestServer> {
  for (const member of group.members) {
    const status = await member.appctl("cluster/status", DATABASE).catch(() => "");
    if (status.includes("\nRole: leader\n")) return member;
  }
  throw new Error("no member is the leader");
}

/** Until all members know the leader. */
const settled = () =>
  until("a cluster of all members", 60_000, async () => (await Promise.all(group.members.map((member) => isMember(member, DATABASE)))).every(Boolean), 100);

/** Kills the CLI some milliseconds after its provider began to connect to a member. Returns what has not ended in time. */
async function killedUpdate(version: number, after: number): Promise<string[]> {
  await workspace.write(program(version));
  const pulumi = workspace.start("up", "--yes", "--skip-preview", "--stack", "dev");
  await until("a program to a member", 60_000, () => programs().length > 0);
  const own = processTree(pulumi.pid!).filter((pid) => commandOf(pid).includes("@pulumi/pulumi/cmd/"));
  expect(own).not.toEqual([]);
  await sleep(after);
  const exit = once(pulumi, "exit");
  process.kill(pulumi.pid!, "SIGKILL");
  await exit;
  const left = await survivors([...own, ...programs()], PATIENCE);
  await workspace.recover();
  return left;
}

it("kill -9 of Pulumi while a clustered database does not answer leaves no process and no half transaction", async () => {
  await workspace.up();
  expect(await versions()).toEqual(all(0));

  // The leader is stopped: the others elect another one, and its connections stay open.
  const stopped = await leader();
  stopped.freeze(true);
  expect(await killedUpdate(1, 0)).toEqual([]);
  stopped.freeze(false);
  await settled();
  const first = await versions();
  expect([all(0), all(1)]).toContainEqual(first);

  // No member has a quorum.
  const [, ...others] = group.members;
  await Promise.all(others.map((member) => member.kill()));
  expect(await killedUpdate(2, 500)).toEqual([]);
  await Promise.all(others.map((member) => member.start()));
  await settled();
  expect([first, all(2)]).toContainEqual(await versions());

  await workspace.up();
  expect(await versions()).toEqual(all(2));
  expect(await workspace.changes("up", "--yes", "--skip-preview", "--refresh")).toEqual({ same: 2 });
  await workspace.must("destroy", "--yes", "--skip-preview", "--stack", "dev");
  expect(await versions()).toEqual([]);
});
