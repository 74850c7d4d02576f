import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { hostname, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { changeRevertibly, KeptState, openTarget, recover, type RevertibleChange } from "@pulumi-ovn/cli/testing";
import { confirmApply, Connections, forgetApply, layDown, readRecord, undoApply } from "@pulumi-ovn/provider/targets";
import { FACTS } from "../../support/apply-record";
import { guardProject } from "../../support/guard";
import { Northbound } from "../../support/northbound";
import { pulumiOvn } from "../../support/pulumi-ovn";

const DATABASE = "OVN_Northbound";
const ENDED = { pid: spawnSync("true").pid, host: hostname() };

let folder: string;
let zones: Northbound[];
let targets: Connections;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "recover-"));
  zones = [await Northbound.start(), await Northbound.start()];
  for (const zone of zones) await zone.nbctl("init");
  targets = new Connections({ node1: { northbound: zones[0]!.endpoint }, node2: { northbound: zones[1]!.endpoint } });
});
afterAll(async () => {
  await targets?.close();
  for (const zone of zones ?? []) await zone[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

const before = { version: 3, deployment: { resources: [] } };
/** A stack with these states. */
const engineOf = (imported: object[]) => ({
  name: "dev",
  exportState: async () => ({ version: 3, deployment: {} }),
  importState: async (state: object) => void imported.push(state),
});

/** Recovers with the file of a command that has ended. Returns the output. */
async function recovered(id: string, stack = "dev"): Promise<{ said: string[]; isKept: boolean }> {
  const kept = new KeptState(folder, id);
  kept.save(stack, before, [], 2);
  const saved = JSON.parse(readFileSync(kept.path, "utf8")) as object;
  writeFileSync(kept.path, JSON.stringify({ ...saved, command: ENDED }));
  const said: string[] = [];
  await recover(targets, { engine: engineOf([]) as never, folder, stack: "net/dev", say: (text) => said.push(text) });
  const isKept = existsSync(kept.path);
  kept.delete();
  return { said, isKept };
}

it("names the other databases of an apply whose command died between two confirmations", async () => {
  for (const { client } of zones) await layDown(client, DATABASE, "0000000a", FACTS);
  await confirmApply(zones[0]!.client, DATABASE, "0000000a");
  await undoApply(zones[1]!.client, DATABASE, "0000000a");
  expect(await recovered("0000000a")).toEqual({
    said: [
      'apply 0000000a was undone in OVN_Northbound of zone "node2"',
      "the state of stack dev is as before",
      '! its other databases confirmed it before the command ended: run "pulumi up --refresh"',
    ],
    isKept: false,
  });
});

/** Begins a change whose update must not run. Returns the output. */
async function refused(places: Parameters<typeof changeRevertibly>[0], id: string, imported: object[] = []): Promise<string[]> {
  const said: string[] = [];
  const change: RevertibleChange = {
    id,
    stack: "net/dev",
    seconds: 60,
    before,
    changing: [],
    update: () => Promise.reject(new Error("updated")),
    verify: async () => [],
    isManual: false,
  };
  const surroundings = { engine: engineOf(imported) as never, folder, say: (text: string) => void said.push(text) };
  expect(await changeRevertibly(places, change, surroundings)).toBe("refused");
  return said;
}

it("lays nothing down where another apply came first, undoes it elsewhere, and leaves the stack's state to that one", async () => {
  const open = (name: string) => openTarget(targets, { kind: "zone", name, database: DATABASE });
  const [first, second] = [await open("node1"), await open("node2")];
  // The other one begins between the last look and the record.
  second.startTimer = () => layDown(zones[1]!.client, DATABASE, "00000010", FACTS).then(() => "command");
  const imported: object[] = [];
  const said = await refused([first, second], "00000011", imported);
  expect(said.slice(1)).toEqual([
    expect.stringContaining('OVN_Northbound of zone "node1": the undo waits in this command only'),
    '! OVN_Northbound of zone "node2": apply 00000010 of stack net/dev by me@here is pending; run "pulumi-ovn confirm 00000010" or "pulumi-ovn cancel 00000010" first',
    "nothing is changed",
  ]);
  expect([imported, existsSync(new KeptState(folder, "00000011").path)]).toEqual([[], false]);
  expect([await first.read(), (await second.read())?.phase]).toEqual([undefined, "pending"]);
  await confirmApply(zones[1]!.client, DATABASE, "00000010");
});

it("does not wait until the deadline for a database that ends before the record", async () => {
  const ending = await Northbound.start();
  await ending.nbctl("init");
  const connections = new Connections({ node1: { northbound: zones[0]!.endpoint }, node3: { northbound: ending.endpoint, timeout: 1 } });
  const [first, last] = await Promise.all(["node1", "node3"].map((name) => openTarget(connections, { kind: "zone", name, database: DATABASE })));
  last!.startTimer = () => ending[Symbol.asyncDispose]().then(() => "command");
  const said = await refused([first!, last!], "00000016");
  expect(said.slice(1)).toEqual([
    expect.stringContaining('OVN_Northbound of zone "node1": the undo waits in this command only'),
    expect.stringMatching(/^! OVN_Northbound of zone "node3": /),
    "nothing is changed",
    expect.stringMatching(/^! not undone: OVN_Northbound of zone "node3": .*; its timer undoes it; then run "pulumi-ovn cancel 00000016"/),
  ]);
  expect((await first!.read())?.phase).toBe("undone");
  await forgetApply(zones[0]!.client, DATABASE, "00000016");
  new KeptState(folder, "00000016").delete();
  await connections.close();
});

it("changes nothing if a host that should hold the undo starts no process, unless a guard runs", async () => {
  // A key that allows only the database's stream.
  const connecting = 'const s=require("net").connect(process.argv[1]);process.stdin.pipe(s).pipe(process.stdout)';
  const script = `#!/bin/sh\n[ "$2" != sh ] || { echo "only nc is allowed" >&2; exit 1; }\nexec ${process.execPath} -e '${connecting}' "$4"\n`;
  writeFileSync(join(folder, "ssh"), script, { mode: 0o755 });
  const restricted = new Connections({ node1: { northbound: `exec:${folder}/ssh host nc -U ${zones[0]!.endpoint.slice("unix:".length)}` } });
  const target = await openTarget(restricted, { kind: "zone", name: "node1", database: DATABASE });
  expect(await refused([target], "00000012")).toEqual([
    expect.stringMatching(/^apply 00000012: /),
    expect.stringMatching(
      /^! OVN_Northbound of zone "node1": the process that would undo the change does not start on the database's host: .*ended with status 1 before a shell began: only nc is allowed; try again, or run pulumi-ovn guard next to the target$/,
    ),
    "nothing is changed",
  ]);
  expect([await target.read(), existsSync(new KeptState(folder, "00000012").path)]).toEqual([undefined, false]);
  const guard = await zones[0]!.client.lock("pulumi_ovn_guard");
  expect(await target.startTimer("00000013", 60)).toBe("guard");
  await guard.release();
  await restricted.close();
});

it("changes nothing if the state can't be saved", async () => {
  const target = await openTarget(targets, { kind: "zone", name: "node1", database: DATABASE });
  const { path } = new KeptState(folder, "00000015");
  mkdirSync(dirname(path));
  symlinkSync("/dev/full", path);
  await expect(refused([target], "00000015")).rejects.toMatchObject({
    code: "OVN_APPLY_SAVE",
    message: "the state from before the change can't be saved (ENOSPC: no space left on device, write); nothing is changed",
  });
  expect([await target.read(), existsSync(dirname(path))]).toEqual([undefined, false]);
});

it("says so if a file has the name of the folder with states", async () => {
  const target = await openTarget(targets, { kind: "zone", name: "node1", database: DATABASE });
  const file = join(folder, ".pulumi-ovn");
  writeFileSync(file, "");
  const said: string[] = [];
  // Looks for states of earlier applies.
  expect(await recover(targets, { engine: engineOf([]) as never, folder, stack: "net/dev", say: (text) => said.push(text) })).toBe(false);
  await expect(refused([target], "00000017")).rejects.toMatchObject({
    code: "OVN_APPLY_SAVE",
    message: `the state from before the change can't be saved (${file} is a file and must be a folder: rename it); nothing is changed`,
  });
  expect([said, await target.read(), readFileSync(file, "utf8")]).toEqual([[], undefined, ""]);
  await rm(file);
});

it("confirms nothing right before the deadline or with an invalid ID, and names targets that the file no longer has", async () => {
  const project = await guardProject(join(folder, "project"), { zones: { node1: { northbound: zones[0]!.endpoint } } });
  const confirm = (id: string) => pulumiOvn(["confirm", id, "--stack", "dev"], process.env, project);
  const { client } = zones[0]!;
  const deadline = new Date(Date.now() + 2000).toISOString();
  await layDown(client, DATABASE, "00000014", { ...FACTS, deadline });
  expect(await confirm("00000014")).toEqual({
    code: 1,
    stdout: "",
    stderr: `pulumi-ovn confirm: OVN_APPLY_UNKNOWN: apply 00000014 can't be confirmed: its deadline in OVN_Northbound of zone "node1" is ${deadline}, and a confirmation needs 3 s\n`,
  });
  await confirmApply(client, DATABASE, "00000014");

  // The path of the file of its state would be this one.
  const odd = "../../../package";
  writeFileSync(join(project, "package.json"), "{}");
  await layDown(client, DATABASE, odd, FACTS);
  expect(await confirm(odd)).toMatchObject({ code: 1, stderr: expect.stringContaining(`OVN_APPLY_UNKNOWN: invalid ID of an apply "${odd}"`) as string });
  expect([existsSync(join(project, "package.json")), (await readRecord(client, DATABASE))?.id]).toEqual([true, odd]);
  await confirmApply(client, DATABASE, odd);

  await layDown(client, DATABASE, "00000015", FACTS);
  new KeptState(project, "00000015").save("dev", before, [], 2);
  expect(await confirm("00000015")).toEqual({
    code: 0,
    stdout: `confirmed apply 00000015\n! the apply has changed 2 targets, and 1 had it pending: the others confirmed it before, or the file of targets has changed; run "pulumi up --refresh" after the deadline\n`,
    stderr: "",
  });

  // A confirmation needs no states.
  writeFileSync(join(project, ".pulumi-ovn"), "");
  await layDown(client, DATABASE, "0000001d", FACTS);
  expect(await confirm("0000001d")).toEqual({ code: 0, stdout: "confirmed apply 0000001d\n", stderr: "" });
});

it("deletes the state of an apply that is in no database, and no other one's", async () => {
  expect(await recovered("0000000b")).toEqual({ said: [], isKept: false });
  expect(await recovered("0000000c", "prod")).toEqual({ said: [], isKept: true });
  await layDown(zones[0]!.client, DATABASE, "0000000d", FACTS);
  expect(await recovered("0000000d")).toEqual({ said: [], isKept: true });
  await confirmApply(zones[0]!.client, DATABASE, "0000000d");
  // A database that can't be read may have its record.
  await targets.close();
  targets = new Connections({ node1: { northbound: zones[0]!.endpoint, southbound: zones[1]!.endpoint } });
  expect(await recovered("0000000e")).toEqual({
    said: [expect.stringMatching(/^! not asked for earlier applies: OVN_Southbound of zone "node1": /)],
    isKept: true,
  });
  // A server that accepts connections and is silent delays no one for longer than this.
  const silent = createServer(() => undefined).listen(join(folder, "silent"));
  await once(silent, "listening");
  await targets.close();
  targets = new Connections({ node1: { northbound: zones[0]!.endpoint }, node2: { northbound: `unix:${join(folder, "silent")}`, timeout: 60 } });
  expect((await recovered("0000000f")).said).toEqual(['! not asked for earlier applies: OVN_Northbound of zone "node2": no answer within 10 s']);
  silent.close();
  await targets.close();
});
