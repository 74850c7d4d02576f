/**
 * Updates that are killed at some moment.
 * @once
 */
import { setTimeout as sleep } from "node:timers/promises";
import { difference, type Dump, NO_DIFFERENCE } from "../support/dump";
import { blue, program, WORKLOADS } from "../support/network";
import { commandOf, processTree } from "@pulumi-ovn/sandbox/testing";
import { isProvider, killAll, survivors } from "../support/processes";
import { ChangeClock } from "../support/watch";
import { finished, Workspace } from "../support/workspace";
import { TestZones } from "../support/zones";

jest.setTimeout(600_000);

const NODES = ["node1", "node2", "node3"] as const;

/** Each version of the network has other values in rows of every zone, so that every update has something to do. */
const version = (number: number) =>
  program(
    blue(undefined, { mtu: 1400 - number, workloads: { ...WORKLOADS, vm1: { ...WORKLOADS.vm1!, mac: `0a:58:00:00:00:${(16 + number).toString(16)}` } } }),
    "none",
  );

let zones: TestZones;
let workspace: Workspace;
let clock: ChangeClock;
let empty: Dump;
let whole: Dump;
beforeAll(async () => {
  // Without northd, which writes to the Northbound database, too.
  zones = await TestZones.start(NODES, { northd: false });
  workspace = await Workspace.create(version(0), zones.config);
  empty = await zones.northbound();
  // Result of an undisturbed update.
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

type Victim = "provider" | "pulumi" | "everything" | "ovsdb-server";

interface Kill {
  readonly victim: Victim;
  /** After so many changed rows. */
  readonly rows: number;
  /** After these. */
  readonly milliseconds: number;
  /** Node of the ovsdb-server. */
  readonly node: (typeof NODES)[number];
}

/** Outcome, in words, of each command that was to be killed. A failing test prints the outcomes. */
let story: string[] = [];
beforeEach(() => void (story = []));

/** Adds the story to the error. */
async function told(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    throw new Error(`${(error as Error).message}\n\n${story.join("\n\n")}`, { cause: error });
  }
}

/** Runs a command and kills the victim. Returns whether it was there to be killed: a command may end while this process waits for a processor. */
async function interrupted({ victim, rows, milliseconds, node }: Kill, ...args: string[]): Promise<boolean> {
  // Every change from here on is this command's, so its provider has loaded this package by then.
  await clock.settled();
  const child = workspace.start(...args, "--stack", "dev");
  const end = finished(child);
  const reached = await Promise.race([clock.after(rows).then(() => true), end.then(() => false)]);
  const began = performance.now();
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
  const took = performance.now() - began;
  const { code, stdout, stderr } = await end;
  story.push(
    [
      `${args[0]}: ${victim}${victim === "ovsdb-server" ? ` of ${node}` : ""} ${running ? "killed" : "gone before it was killed"}`,
      `${reached ? "" : "not "}${rows} rows changed, ${Math.round(took)} ms; exit ${code}\n${`${stdout}${stderr}`.slice(-1500)}`,
    ].join(", "),
  );
  // Program and provider end by themselves, and hold no connection to a zone. (A provider that has received no request yet has not loaded this package, and stays.)
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

/** How often a command may end before its victim is killed. */
const TRIES = 5;

/** Interrupts a command. One that has ended before is run again: `prepare` sees to it that it has something to do, for try 0 as well. */
async function interrupt(kill: Kill, prepare: (attempt: number) => Promise<unknown>, ...args: string[]): Promise<void> {
  for (let attempt = 0; attempt < TRIES; attempt++) {
    await prepare(attempt);
    if (await interrupted(kill, ...args)) return;
  }
  throw new Error(`${TRIES} commands ended before ${kill.victim} was killed`);
}

const up = ["up", "--yes", "--skip-preview"];
const destroy = ["destroy", "--yes", "--skip-preview"];
const rounds: readonly (readonly Victim[])[] = [
  ["provider", "everything", "ovsdb-server", "pulumi"],
  ["everything", "ovsdb-server", "provider", "provider"],
];

it.each(rounds.map((victims, index) => [index + 1, victims] as const))(
  "round %i: kill -9 of %j in updates, then in destroys, leaves no twins and no orphans",
  (seed, victims) =>
    told(async () => {
      const next = random(seed);
      const kill = (victim: Victim, rows: number): Kill => ({ victim, rows: 1 + next(rows), milliseconds: next(15), node: NODES[next(3)]! });
      for (const [index, victim] of victims.entries()) {
        const prepare = async (attempt: number) => {
          // A version that the state has already would not be written again over what a killed update has left.
          if (attempt > 0) await workspace.write(version(10)).then(() => workspace.up());
          await workspace.write(version(victims.length - 1 - index));
        };
        await interrupt(kill(victim, 5), prepare, ...up);
      }
      await workspace.up();
      expect(difference(whole, await zones.northbound())).toEqual(NO_DIFFERENCE);
      expect(Object.keys(await workspace.changes("preview"))).toEqual(["same"]);

      for (const victim of victims.slice(0, 2)) {
        await interrupt(kill(victim, 4), async (attempt) => attempt > 0 && (await workspace.up()), ...destroy);
      }
      await workspace.must(...destroy, "--stack", "dev");
      expect(difference(empty, await zones.northbound())).toEqual(NO_DIFFERENCE);
    }),
);

it("finds by a refresh rows that killed runs wrote and that no state contains", () =>
  told(async () => {
    // Early: a run that comes to its end writes its state.
    const early: Kill = { victim: "everything", rows: 2, milliseconds: 0, node: NODES[0] };
    const resources = async () => (await workspace.state()).resources?.length ?? 0;
    Object.assign(workspace.environment, WITHOUT_CHECKPOINTS);
    try {
      await workspace.write(version(1));
      await interrupt(early, async (attempt) => attempt > 0 && (await workspace.must(...destroy, "--stack", "dev")), ...up);
      expect(await resources()).toBe(0);
      expect(difference(empty, await zones.northbound()).added).not.toEqual([]);
      // The rows that are there are its own.
      await workspace.up();
      const one = await zones.northbound();

      const changed = async (attempt: number) => {
        if (attempt > 0) await workspace.write(version(1)).then(() => workspace.up());
        await workspace.write(version(2));
      };
      await interrupt(early, changed, ...up);
      expect(difference(one, await zones.northbound())).not.toEqual(NO_DIFFERENCE);
      // To the state nothing has changed since the update before.
      await workspace.write(version(1));
      expect(Object.keys(await workspace.changes("preview"))).toEqual(["same"]);
      await workspace.up("--refresh");
      expect(difference(one, await zones.northbound())).toEqual(NO_DIFFERENCE);

      await interrupt(early, async (attempt) => attempt > 0 && (await workspace.up()), ...destroy);
      await workspace.must(...destroy, "--stack", "dev");
      expect(difference(empty, await zones.northbound())).toEqual(NO_DIFFERENCE);
    } finally {
      for (const name of Object.keys(WITHOUT_CHECKPOINTS)) delete workspace.environment[name];
    }
  }));
