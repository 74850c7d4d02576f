import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import * as fc from "fast-check";
import { processTree, projectRoot } from "@pulumi-ovn/sandbox/testing";
import { expectNoRecords, hostImage, objectsImage } from "../support/apply-places";
import { programOf, version } from "../support/apply-plans";
import { ApplyStack, idIn, timersOf } from "../support/apply-stack";
import { TestCluster } from "../support/kubernetes";
import { isProvider, killAll, survivors } from "../support/processes";
import { Switches } from "../support/switches";
import { until } from "../support/until";
import { finished } from "../support/workspace";

/** Random plans. `npm test` has few; docs/how-to/apply.md has the number of a long run. */
const ROUNDS = Number(process.env.OVN_ROUNDS ?? 3);
/** A failure shows it. */
const SEED = Number(process.env.OVN_SEED ?? Date.now() % 1_000_000);
jest.setTimeout(180_000 + ROUNDS * 400_000);

/** `everything`: the command and Pulumi, as a power cut does. `timers`: also the processes on hosts. `guard`: also the guard, which starts again. */
const round = fc.record({
  wanted: version,
  victim: fc.constantFrom("everything", "command", "provider", "timers", "guard"),
  isGuarded: fc.boolean(),
  // Not a double: most doubles between 0 and 1 are next to 0, before the first write.
  share: fc.integer({ min: 0, max: 110 }).map((percent) => percent / 100),
  next: fc.constantFrom("apply", "cancel"),
});
type Round = typeof round extends fc.Arbitrary<infer T> ? T : never;

const rounds = fc.sample(round, { numRuns: ROUNDS + 1, seed: SEED });
const HOSTS = ["node1", "node2"];
const switches = Switches.of({ name: "apply-killed", hosts: 2, workloads: [] });
let cluster: TestCluster;
let stack: ApplyStack;
beforeAll(async () => {
  for (const host of HOSTS) await switches.bridge(host, "theirs", "p1", "p2");
  cluster = await TestCluster.kept();
  await cluster.namespace("app");
  const [h1, h2] = HOSTS.map((host) => switches.sandbox.targets.hosts[host]);
  stack = await ApplyStack.start(programOf(rounds[0]!.wanted), { prod: cluster.target() }, { h1, h2 });
  await stack.workspace.up();
}, 600_000);
let guard: ChildProcess | undefined;
afterAll(async () => {
  guard?.kill();
  await stack?.[Symbol.asyncDispose]();
});

const spawned = (...args: string[]): ChildProcess =>
  spawn(process.execPath, [join(projectRoot, "sdk/bin/pulumi-ovn.js"), ...args, "--stack", "dev"], {
    cwd: stack.workspace.folder,
    env: stack.environment,
    stdio: ["ignore", "pipe", "pipe"],
  });

async function startGuard(): Promise<void> {
  guard = spawned("guard");
  await once(guard.stdout!, "data");
}

/** Milliseconds from the first change of an apply to its end. */
let duration = 6000;

/** Runs an apply and kills something at a share of the time that one takes. Processes that outlive the command have ended at the return. */
async function killedAt({ victim, share }: Round) {
  const child = spawned("apply", "--revert-in", "10", "--probe", "true");
  const ended = finished(child);
  let printed = "";
  const begun = new Promise<void>((resolve) => child.stdout!.on("data", (chunk: Buffer) => idIn((printed += chunk.toString())) !== undefined && resolve()));
  await Promise.race([begun, ended]);
  const start = performance.now();
  await Promise.race([sleep(share * duration), ended]);
  const all = processTree(child.pid!);
  if (victim === "command") killAll([child.pid!]);
  else if (victim === "provider") killAll(all.filter(isProvider));
  else killAll(all);
  if (victim === "timers") killAll(timersOf(idIn(printed) ?? "none"));
  if (victim === "guard" && guard) killAll([guard.pid!]);
  const ran = await ended;
  duration = ran.code === null ? duration * 1.1 : performance.now() - start;
  // Pulumi ends its update, which takes minutes on a busy machine.
  expect(await survivors(all, 300_000)).toEqual([]);
  return ran;
}

/** Content of each target, without numbers that count updates. */
async function images(): Promise<ReadonlyMap<string, string>> {
  const dump = [...(await stack.zones.northbound())].filter(([row]) => !row.includes(" NB_Global ")).sort(([a], [b]) => (a < b ? -1 : 1));
  const zones = ["node1", "node2"].map((zone) => [`zone ${zone}`, dump.filter(([row]) => row.startsWith(`${zone} `))] as const);
  const hosts = await Promise.all(HOSTS.map(async (host) => [`host ${host}`, await hostImage(switches, host)] as const));
  const all = [...zones, ...hosts, ["cluster", await objectsImage(cluster, "app")] as const];
  return new Map(all.map(([place, image]) => [place, JSON.stringify(image, null, 1).replace(/, \\"pulumi-ovn:(sequence|succeeds)\\"=[^,}]*/g, "")]));
}

interface Listed {
  readonly id: string;
  readonly phase: string;
  readonly cluster?: string;
}

/** Applies in all targets. On a busy machine a connection may take more than its 5 s. */
async function listed(): Promise<readonly Listed[]> {
  for (;;) {
    const { applies, lost } = JSON.parse((await stack.cli("pending", "--stack", "dev", "--json")).stdout) as { applies: Listed[]; lost: string[] };
    if (lost.length === 0) return applies;
  }
}

/** Waits for the timers that are alive. Returns what is left for the next command. */
async function afterTimers({ victim, isGuarded }: Round, deadline: number): Promise<readonly Listed[]> {
  if ((await listed()).length === 0) return [];
  await sleep(Math.max(0, deadline - Date.now()));
  const isWaiting = ({ phase, cluster: inCluster }: Listed) => phase === "pending" && (isGuarded || (inCluster === undefined && victim !== "timers"));
  await until(async () => !(await listed()).some(isWaiting));
  return listed();
}

const outcomes: Record<string, number> = {};

it(`leaves each target wholly before or wholly after when something is killed at a random point (seed ${SEED})`, async () => {
  const { workspace } = stack;
  const ids: string[] = [];
  let current = rounds[0]!.wanted;
  for (const each of rounds.slice(1)) {
    const before = await images();
    await workspace.write(programOf(each.wanted));
    if (each.isGuarded) await startGuard();
    const { stdout, stderr } = await killedAt(each);
    expect(stderr).toBe("");
    if (each.isGuarded && each.victim === "guard") await startGuard();
    const id = idIn(stdout);
    if (id !== undefined) ids.push(id);
    const left = await afterTimers(each, Date.parse(/undone at (\S+) unless/.exec(stdout)?.[1] ?? ""));
    guard?.kill();
    guard = undefined;
    await workspace.recover(); // a killed Pulumi leaves its lock
    await workspace.write(programOf(current));
    // With the state put back, the command changes only what is still pending. Without a record, the images are final.
    const next = left.length === 0 ? undefined : each.next === "cancel" ? await stack.cli("cancel", id!, "--stack", "dev") : await stack.apply();
    expect([next?.code ?? 0, next?.stderr ?? ""]).toEqual([0, ""]);
    const found = await images();
    const changed = [...found.keys()].filter((place) => found.get(place) !== before.get(place));
    if (changed.length > 0) {
      await workspace.up("--refresh");
      expect(await images()).toEqual(before);
      await workspace.write(programOf(each.wanted));
      await workspace.up();
      current = each.wanted;
      const after = await images();
      for (const place of changed) expect([place, found.get(place)]).toEqual([place, after.get(place)]);
    }
    const counts = await workspace.changes("up", "--yes", "--skip-preview", "--refresh");
    const written = (await workspace.operations()).filter(({ op }) => op !== "same" && op !== "refresh");
    expect([each, changed, written, Object.keys(counts)]).toEqual([each, changed, [], ["same"]]);
    const outcome = `${each.victim}${each.isGuarded ? " with a guard" : ""}: ${changed.length === 0 ? "before" : left.length === 0 ? "after" : "before and after"}`;
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
    if (process.env.OVN_ROUNDS !== undefined) process.stderr.write(`${JSON.stringify(outcomes)}\n`);
  }
  // Deletes states of applies that died before their first change, or after their confirmation.
  expect(await stack.apply()).toMatchObject({ code: 0, stderr: "" });
  await expectNoRecords(switches, HOSTS, cluster);
  await stack.expectNothingLeft(...ids);
});
