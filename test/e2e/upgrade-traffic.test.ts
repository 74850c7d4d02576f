import { rmSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { constants, setPriority } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Sandbox, up } from "@pulumi-ovn/sandbox";
import { projectRoot } from "@pulumi-ovn/sandbox/testing";
import { runFolder } from "../support/sandbox-runs";
import { Control } from "../support/control";
import { Flows, type Report } from "../support/flows";
import { blue, NODES, program } from "../support/network";
import { addElsewhere, advertised, forgetEarly, MACHINES, POLICIES, reached, RENEWED, serveWorkloads, upgradeFlows } from "../support/upgrade-flows";
import { type LogLine, readLog, startUpgrade } from "../support/upgrade-walk";
import { finished, Workspace } from "../support/workspace";

const folder = runFolder();
process.env["PULUMI_OVN_RUN"] = folder;

/** With UPDATE_DOCS guests are as they come, waits those of the command, nodes move one by one, and the report goes into bench/results.md. */
const MEASURE = Boolean(process.env["UPDATE_DOCS"]);
/** Seconds between stages; each is a run of the command of its own then, as with a pull request for each. */
const APART = Number(process.env["STAGES_APART"] ?? 0);
const PACE = MEASURE ? [] : ["--settle-seconds", String(RENEWED / 1000)];
const batch = (size: string): string[] => (MEASURE ? [] : ["--batch", size]);

let sandbox: Sandbox;
let workspace: Workspace;
beforeAll(async () => {
  sandbox = await up({ name: "upgrade-traffic", workloads: MACHINES });
  await addElsewhere(sandbox);
  if (!MEASURE) await forgetEarly(sandbox);
  const nodes = Object.fromEntries(Object.entries(NODES).map(([name, node]) => [name, { ...node, topology: "gateway" as const }]));
  const workloads = Object.fromEntries(
    MACHINES.map(({ name, host, mac, addresses }) => [name, { node: host, mac, addresses: addresses.map((address) => address.split("/")[0]!) }]),
  );
  // Advertisements come often, so that what they do wrong is seen within the test.
  const network = blue(undefined, { nodes, workloads, routerAdvertisements: { maxInterval: 4, minInterval: 3 } });
  const policies = POLICIES.map(({ name, ...policy }) => `new ovn.EgressIPPolicy("${name}", { network: blue, ...${JSON.stringify(policy)} });`);
  workspace = await Workspace.create([program(network, "chassis"), ...policies].join("\n"), sandbox.zones);
}, 120_000);
afterAll(async () => {
  await workspace?.[Symbol.asyncDispose]();
  await sandbox?.down();
  rmSync(folder, { recursive: true, force: true });
});

/** Walks so many stages, in one run of the command or one after the other. */
async function walk(flows: Flows, way: string, stages: number, ...args: string[]): Promise<void> {
  if (APART === 0) return walkOnce(flows, way, stages, args);
  for (let stage = 0; stage < stages; stage++) {
    await walkOnce(flows, way, 1, args);
    await flows.extend(() => sleep(APART * 1_000));
  }
}

/** One run of the command; each stage is a stage of the flows, too, from the end of the one before to its own. */
async function walkOnce(flows: Flows, way: string, stages: number, args: readonly string[]): Promise<void> {
  const log = join(workspace.folder, `${way}-${Date.now()}.jsonl`);
  const running = await startUpgrade(workspace, "--loaded", ...PACE, "--stages", String(stages), "--log", log, ...args);
  // Work of the user's machine must not delay the probes on the hosts, which share this machine.
  if (MEASURE) setPriority(running.pid!, constants.priority.PRIORITY_LOW);
  const done = finished(running);
  const ended = done.then(({ code, stdout, stderr }): never => {
    throw new Error(`the walk ended with ${code}\n${stdout}\n${stderr}`);
  });
  ended.catch(() => undefined); // checked below, even if no stage is waited for
  for (let stage = 1; stage <= stages; stage++) {
    const title = event(log, "stage", stage).then(({ title }) => `${way}: ${String(title)}`);
    const name = await Promise.race([title, ended]);
    await flows.stage(name, () => Promise.race([event(log, "passed", stage), ended.catch(() => event(log, "passed", stage))]), {
      swap: name.startsWith(`${way}: move `),
    });
  }
  const { code, stdout, stderr } = await done;
  if (code !== 0) throw new Error(`the walk ended with ${code}\n${stdout}\n${stderr}`);
}

/** The nth line of its kind in a log that grows. */
async function event(log: string, kind: string, count: number): Promise<LogLine> {
  for (;;) {
    const lines = await readLog(log).catch(() => []);
    const halted = lines.find(({ event }) => event === "end");
    const line = lines.filter(({ event }) => event === kind)[count - 1];
    if (line) return line;
    if (halted) throw new Error(`the walk halted: ${JSON.stringify(lines.filter(({ event }) => event === "finding" || event === "end"))}`);
    await sleep(50);
  }
}

const [START, END] = ["<!-- upgrade:traffic -->", "<!-- /upgrade:traffic -->"];

/** The report of a run, for people; only when asked for, so that a test leaves the tree as it was. */
async function keep(report: Report): Promise<void> {
  const page = join(projectRoot, "bench/results.md");
  const text = await readFile(page, "utf8");
  await writeFile(page, `${text.slice(0, text.indexOf(START))}${START}\n${byStage(report)}\n${text.slice(text.indexOf(END))}`);
}

/** One line for each stage, all flows together. */
function byStage(report: Report): string {
  const lines = report.stages.map(({ name }) => {
    const flows = report.measured(name);
    const sum = (of: "sent" | "lost") => flows.reduce((total, flow) => total + flow[of], 0);
    return `${name} | ${sum("sent")} | ${sum("lost")} | ${Math.round(Math.max(...flows.map(({ gap }) => gap)))}`;
  });
  return ["stage | sent | lost | longest gap, ms", "---|---|---|---", ...lines].join("\n");
}

it("upgrades a loaded network and back, with traffic on all paths", async () => {
  await workspace.up();
  await serveWorkloads(sandbox);
  await reached(sandbox);
  await advertised(sandbox);
  await using control = await Control.over(sandbox);
  await using flows = await Flows.start(sandbox, [...upgradeFlows(), ...control.flows], MEASURE ? 10 : undefined);
  await sleep(3_000);
  await flows.stage("idle, old", () => sleep(MEASURE ? 5_000 : 1_000));

  await walk(flows, "there", MEASURE ? 7 : 6, ...batch("2"));
  await flows.stage("idle, new", () => sleep(5_000));

  await walk(flows, "back", MEASURE ? 5 : 3, "--back", ...batch("100%"));
  await flows.stage("idle, back", () => sleep(5_000));

  const report = await flows.end();
  console.log(report.table());
  if (MEASURE) await keep(report);

  const moves = (topology: string, names: readonly string[]) =>
    (MEASURE ? ["node1", "node2", "node3"] : names).map((name) => `move ${name} to the ${topology} topology`);
  expect(report.stages.map(({ name }) => name).filter((name) => !name.startsWith("idle"))).toEqual([
    ...[
      "prepare: both topologies side by side",
      ...moves("transit", ["node1, node2", "node3"]),
      "reach other nodes over transit links",
      "announce the transit router's MAC to workloads",
      "remove what is left of the gateway topology",
    ].map((name) => `there: ${name}`),
    ...["bring back the rows of the gateway topology", "reach other nodes over the switch", ...moves("gateway", ["node1, node2, node3"])].map(
      (name) => `back: ${name}`,
    ),
  ]);
  // Workloads stay where they are: no connection of theirs breaks, and nothing is lost but what the machine loses of the control, too.
  expect(report.broken()).toEqual([]);
  expect(report.beyondControl(report.stages.map(({ name }) => name))).toEqual([]);
}, 3_600_000);
