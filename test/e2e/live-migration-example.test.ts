import { type ChildProcess, spawn } from "node:child_process";
import { appendFile, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Example, type Sandbox, up } from "@pulumi-ovn/sandbox";
import { Control } from "../support/control";
import type { Flow } from "../support/flow";
import { Flows } from "../support/flows";
import { Guest } from "../support/guest";
import { reached } from "../support/upgrade-flows";

const HOSTS = ["node1", "node2", "node3"];

let sandbox: Sandbox;
let example: Example;
let hook: ChildProcess | undefined;
let said = "";

beforeAll(async () => {
  sandbox = await up({ name: "test-hook" });
  example = await Example.copy("examples/live-migration", ["Pulumi.yaml", "tsconfig.json", "index.ts", "hook"], sandbox.targets);
}, 120_000);
afterAll(async () => {
  hook?.kill();
  await sandbox?.down();
  await example?.[Symbol.asyncDispose]();
});

/** As `virsh event` of a host would print it. */
const happens = (host: string, guest: string, what: string) =>
  appendFile(join(example.folder, `events-${host}`), `2026-11-21 07:00:00.123+0000: event 'lifecycle' for domain '${guest}': ${what}\n`);

/** The hook as a user starts it, with files instead of libvirt's events. */
async function startHook(): Promise<void> {
  for (const host of HOSTS) await writeFile(join(example.folder, `events-${host}`), "");
  const commands = HOSTS.map((host) => `${host}=tail -n +1 -f events-${host}`);
  hook = spawn(process.execPath, ["hook/follow.ts", "--stack", "test", ...commands], {
    cwd: example.folder,
    env: example.environment,
    stdio: ["ignore", "pipe", "pipe"],
  });
  for (const stream of [hook.stdout!, hook.stderr!]) stream.on("data", (data: Buffer) => (said += data.toString()));
  await hears("following vm1, vm2, vm3 on node1, node2, node3");
}

async function endHook(): Promise<void> {
  const closed = new Promise((resolve) => hook!.once("close", resolve));
  hook!.kill("SIGTERM");
  expect(await closed).toBe(0);
}

/** Waits until the hook has printed the text so many times, then forgets it. */
async function hears(text: string, seconds = 60): Promise<void> {
  for (const until = Date.now() + seconds * 1000; !said.includes(text); await sleep(20))
    if (Date.now() > until) throw new Error(`the hook did not say "${text}" but:\n${said}`);
  said = said.slice(said.indexOf(text) + text.length);
}

/** Type and chassis of a guest's port in every zone. */
async function places(guest: string): Promise<string[]> {
  return Promise.all(
    HOSTS.map(async (host) => {
      const { stdout } = await sandbox.exec(host, ["ovn-nbctl", "--format=json", "--columns=type,options", "find", "Logical_Switch_Port", `name=${guest}`]);
      if (stdout === "") return "away";
      const [type, [, options]] = (JSON.parse(stdout) as { data: [[string, [string, [string, string][]]]] }).data[0];
      return `${type || "local"} ${Object.fromEntries(options)["requested-chassis"]}`;
    }),
  );
}

/** Waits until the guest's ports are on these chassis; the hook may report updates before or after. */
async function arrives(guest: string, wanted: readonly string[]): Promise<void> {
  for (const until = Date.now() + 30_000; (await places(guest)).join() !== wanted.join() && Date.now() < until; ) await sleep(100);
  expect(await places(guest)).toEqual(wanted);
}

const AT_NODE1 = ["local node1", "remote node1", "remote node1"];
const AT_NODE2 = ["remote node2", "local node2", "remote node2"];

it("moves guests by the events of libvirt", async () => {
  expect(await example.changes("up")).toEqual({ create: 19 });
  const control = await Control.over(sandbox);
  const guest = await Guest.of(sandbox, "vm1", ["node2"]);
  await startHook();

  const flows = ["vm2", "vm3"].flatMap((from): Flow[] =>
    (["udp", "tcp"] as const).map((protocol) => ({ name: `${from} to vm1 ${protocol}`, kind: "east-west", protocol, from, to: "203.203.0.17", over: HOSTS })),
  );
  await using running = await Flows.start(sandbox, [...flows, ...control.flows]);
  await sleep(2_000);

  await running.stage("two migrations begin", async () => {
    await happens("node2", "unknown", "Started Migrated");
    await appendFile(join(example.folder, "events-node2"), "error: this is not an event\n");
    await happens("node2", "vm1", "Started Migrated");
    await happens("node3", "vm2", "Started Migrated");
    await hears("vm1 on node1, about to come to node2");
    for (const until = Date.now() + 30_000; (await places("vm2"))[2] !== "local node2,node3" && Date.now() < until; ) await sleep(100);
  });
  expect(await places("vm1")).toEqual(["local node1", "local node1,node2", "remote node1"]);
  expect(await places("vm2")).toEqual(["remote node2", "local node2", "local node2,node3"]);

  await running.stage("one is called off, the other switches over", async () => {
    await happens("node3", "vm2", "Stopped Failed");
    await Promise.all([happens("node1", "vm1", "Suspended Migrated"), guest.switchTo("node2"), happens("node2", "vm1", "Resumed Migrated")]);
    await hears("vm1: rows point to node2");
    await reached(sandbox);
  });
  await running.stage("switched over, after", () => sleep(1_500));
  expect(await places("vm1")).toEqual(AT_NODE2);
  await arrives("vm2", AT_NODE2);
  await happens("node1", "vm1", "Stopped Migrated");

  // A program that does not run for a while: the rows do not wait for it, and the stack follows when it can.
  const program = join(example.folder, "index.ts");
  const works = await readFile(program, "utf8");
  await writeFile(program, "throw new Error('not now');\n");
  await running.stage("back, while updates fail", async () => {
    await Promise.all([guest.switchTo("node1"), happens("node1", "vm1", "Resumed Migrated")]);
    await hears("not now");
    await arrives("vm1", AT_NODE1);
    await reached(sandbox);
  });
  await running.stage("back, after", () => sleep(1_500));
  await hears("trying again in 1 s");
  expect(await places("vm1")).toEqual(AT_NODE1);
  await writeFile(program, works);
  await hears("in the stack: vm1 on node1");

  const report = await running.end();
  console.log(report.table());
  expect(report.broken()).toEqual([]);
  expect(
    report.stages.flatMap(({ name }) =>
      report
        .measured(name)
        .filter(({ sent }) => sent === 0)
        .map(({ flow }) => `${name}: ${flow.name}`),
    ),
  ).toEqual([]);
  expect(report.beyondControl(["two migrations begin"])).toEqual([]);
  // TCP continues sending what the move has lost.
  expect(report.beyondControl(["switched over, after", "back, after"], ({ protocol }) => protocol !== "tcp")).toEqual([]);
  await control[Symbol.asyncDispose]();

  await endHook();
  expect(said).toContain("ending after the update in progress\n");

  // A host is down when the hook starts: the others follow all the same, and that one when it is back.
  await sandbox.killDaemon("node3", "ovnnb_db");
  await startHook();
  await happens("node2", "vm1", "Resumed Migrated");
  await hears("vm1: not yet, the update will do it: zone node3: ");
  expect((await places("vm1")).slice(0, 2)).toEqual(AT_NODE2.slice(0, 2));
  await hears("trying again in 1 s, as long as zones are away: node3", 120);
  await happens("node1", "vm1", "Resumed Migrated");
  await hears("vm1: not yet, the update will do it: zone node3: ");
  expect((await places("vm1")).slice(0, 2)).toEqual(AT_NODE1.slice(0, 2));
  await sandbox.startDaemon("node3", "ovnnb_db");
  await hears("in the stack: vm1 on node1", 120);
  await endHook();
  expect(await places("vm1")).toEqual(AT_NODE1);
  // The stack matches the rows: nothing is left to do, even after a refresh.
  expect(await example.run("up", "--yes", "--skip-preview", "--refresh", "--stack", "test")).toContain("19 unchanged");
  expect(await example.changes("destroy")).toEqual({ delete: 19 });
  for (const host of HOSTS) expect((await sandbox.exec(host, ["ovn-nbctl", "show"])).stdout).toBe("");
}, 400_000);

it("reports errors before it follows events", async () => {
  const run = async (...args: string[]) => {
    const child = spawn(process.execPath, ["hook/follow.ts", ...args], {
      cwd: example.folder,
      env: example.environment,
      stdio: ["ignore", "pipe", "pipe"],
      timeout: 30_000,
    });
    let text = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (data: Buffer) => (text += data.toString()));
    const code = await new Promise((resolve) => child.once("close", resolve));
    return `${code} ${text}`;
  };
  expect(await run("--stack", "test")).toMatch(/^1 Usage: /);
  expect(await run("node1=true")).toMatch(/^1 Usage: /);
  expect(await run("--stack", "test", "node1")).toMatch(/^1 Usage: /);
  expect(await run("--stack", "test", "node1=true")).toBe('1 stack test has no outputs "guests" and "nodes": run pulumi up first\n');
  expect(await run("--stack", "nobody", "node1=true")).toMatch(/^1 pulumi stack ended with status \d+:\n {2}error: /);
}, 60_000);
