/**
 * Updates that are killed at some moment.
 * @once
 */
import { setTimeout as sleep } from "node:timers/promises";
import { difference, type Dump, NO_DIFFERENCE } from "../support/dump";
import { blue, program, WORKLOADS } from "../support/network";
import { commandOf, processTree } from "../../sandbox/process-tree";
import { killAll, survivors } from "../support/processes";
import { ChangeClock } from "../support/watch";
import { finished, Workspace } from "../support/workspace";
import { TestZones } from "../support/zones";

jest.setTimeout(600_000);

const NODES = ["node1", "node2", "node3"] as const;

/** Each version of the network has other values in rows of every zone, so that every update has something to do. */
const version = (number: number) =>
  program(blue(undefined, { mtu: 1400 - number, workloads: { ...WORKLOADS, vm1: { ...WORKLOADS.vm1!, mac: `0a:58:00:00:00:1${number}` } } }), "none");

let zones: TestZones;
let workspace: Workspace;
let clock: ChangeClock;
let empty: Dump;
let whole: Dump;
beforeAll(async () => {
  zones = await TestZones.start(NODES);
  workspace = await Workspace.create(version(0), zones.config);
  empty = await zones.northbound();
  // What an undisturbed update makes.
  await workspace.up();
  whole = await zones.northbound();
  await workspace.must("destroy", "--yes", "--skip-preview", "--stack", "dev");
  const databases = NODES.map((node) => [zones.centrals[node]!.northbound, "OVN_Northbound"] as const);
  clock = await ChangeClock.start(databases, ["Logical_Router", "Logical_Switch", "Logical_Router_Port", "Logical_Switch_Port"]);
});
afterAll(async () => {
  await clock?.[Symbol.asyncDispose]();
  await workspace?.[Symbol.asyncDispose]();
  await zones?.stop();
});

/** mulberry32: the same sequence in every run. */
function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

/** Pulumi then writes its state once, at the end of an update: one that is killed leaves the state of before. */
const WITHOUT_CHECKPOINTS = { PULUMI_SKIP_CHECKPOINTS: "true", PULUMI_EXPERIMENTAL: "true" };

const isProvider = (pid: number) => commandOf(pid).includes("cmd/dynamic-provider");

type Victim = "provider" | "pulumi" | "everything" | "ovsdb-server";

/** Runs a command and kills the victim some milliseconds after so many changed rows. Returns whether it was there to be killed. */
async function interrupted(victim: Victim, rows: number, milliseconds: number, node: (typeof NODES)[number], ...args: string[]): Promise<boolean> {
  const child = workspace.start(...args, "--stack", "dev");
  const end = finished(child);
  // Before there is a provider, changes are those of the update before, which the clock hears of late from a server that was started again.
  while (child.exitCode === null && !processTree(child.pid!).some(isProvider)) await sleep(20);
  const reached = clock.after(rows);
  await Promise.race([reached, end]);
  await sleep(milliseconds);
  const pids = processTree(child.pid!);
  const victims = {
    provider: pids.filter(isProvider),
    pulumi: [child.pid!],
    everything: pids,
    "ovsdb-server": [],
  }[victim];
  const running = child.exitCode === null && (victim === "ovsdb-server" || victims.length > 0);
  killAll(victims);
  if (victim === "ovsdb-server") {
    await zones.centrals[node]!.kill("northbound");
    await zones.centrals[node]!.start("northbound");
  }
  await end;
  // Program and provider end by themselves, and hold no connection to a zone.
  if (victim === "pulumi")
    expect(
      await survivors(
        pids.filter((pid) => commandOf(pid).includes("@pulumi/pulumi/cmd/")),
        20_000,
      ),
    ).toEqual([]);
  killAll(pids);
  if (victim === "pulumi" || victim === "everything") await workspace.recover();
  return running;
}

const up = ["up", "--yes", "--skip-preview"];
const destroy = ["destroy", "--yes", "--skip-preview"];
const rounds: readonly (readonly Victim[])[] = [
  ["provider", "everything", "ovsdb-server", "pulumi"],
  ["everything", "ovsdb-server", "provider", "provider"],
];

it.each(rounds.map((victims, index) => [index + 1, victims] as const))(
  "round %i: kill -9 of %j in updates, then in destroys, leaves no twins and no orphans",
  async (seed, victims) => {
    const next = random(seed);
    const killed: Victim[] = [];
    for (const [index, victim] of victims.entries()) {
      await workspace.write(version(victims.length - 1 - index));
      if (await interrupted(victim, 1 + next(5), next(15), NODES[next(3)]!, ...up)) killed.push(victim);
    }
    await workspace.up();
    expect(difference(whole, await zones.northbound())).toEqual(NO_DIFFERENCE);
    expect(Object.keys(await workspace.changes("preview"))).toEqual(["same"]);

    for (const victim of victims.slice(0, 2)) if (await interrupted(victim, 1 + next(4), next(15), NODES[next(3)]!, ...destroy)) killed.push(victim);
    await workspace.must(...destroy, "--stack", "dev");
    expect(difference(empty, await zones.northbound())).toEqual(NO_DIFFERENCE);
    // A command may have ended on a fast machine before its victim was found; most must have been there.
    expect(killed.length).toBeGreaterThanOrEqual(victims.length);
  },
);

it("finds by a refresh what killed runs without checkpoints have written, which no state knows of", async () => {
  // Early: a run that comes to its end writes its state.
  const kill = (...args: string[]) => interrupted("everything", 2, 0, NODES[0], ...args);
  const resources = async () => (await workspace.state()).resources?.length ?? 0;
  Object.assign(workspace.environment, WITHOUT_CHECKPOINTS);
  try {
    await workspace.write(version(1));
    expect([await kill(...up), await resources()]).toEqual([true, 0]);
    expect(difference(empty, await zones.northbound()).added).not.toEqual([]);
    // The rows that are there are its own.
    await workspace.up();
    const one = await zones.northbound();

    await workspace.write(version(2));
    expect(await kill(...up)).toBe(true);
    expect(difference(one, await zones.northbound())).not.toEqual(NO_DIFFERENCE);
    // To the state nothing has changed since the update before.
    await workspace.write(version(1));
    expect(Object.keys(await workspace.changes("preview"))).toEqual(["same"]);
    await workspace.up("--refresh");
    expect(difference(one, await zones.northbound())).toEqual(NO_DIFFERENCE);

    expect(await kill(...destroy)).toBe(true);
    await workspace.must(...destroy, "--stack", "dev");
    expect(difference(empty, await zones.northbound())).toEqual(NO_DIFFERENCE);
  } finally {
    for (const name of Object.keys(WITHOUT_CHECKPOINTS)) delete workspace.environment[name];
  }
});
