import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { startCentral, type Central } from "@pulumi-ovn/sandbox";
import { type Taken, thousands } from "../kit/measure";
import { taken, threadTime } from "../kit/processor";
import type { Benchmark, Result } from "../kit/report";
import { costModel } from "./cost-model";
import { Project } from "./project";
import { largest, peak, sockets } from "./resident";
import { network, nodeName, PROCESSES, said, WITHOUT_CHECKPOINTS } from "./wide";

/** Zones that are measured; `BENCH_ZONES="25 50 100 200 300"` names others. Four sizes at least make a model. */
const SIZES = (process.env.BENCH_ZONES ?? "25 50 100 200").split(" ").filter(Boolean).map(Number);
/** Zones that costs are computed for, if they are more than were measured. */
const COMPUTED = [300, 1000];
/** A stack that writes some zones of a large network (docs/how-to/regions.md). */
const REGION = { own: 25, zones: 1000 };
/** Milliseconds: a look at hundreds of processes costs processor time, which counts. */
const PERIOD = 1_000;

const UPDATE = ["--yes", "--skip-preview"];
const PHASES = [
  ["up without checkpoints", ["up", ...UPDATE], WITHOUT_CHECKPOINTS],
  ["preview", ["preview"], {}],
  ["refresh", ["refresh", ...UPDATE], {}],
  ["destroy without checkpoints", ["destroy", ...UPDATE], WITHOUT_CHECKPOINTS],
  ["up", ["up", ...UPDATE], {}],
] as const;

const WATCHED = { cli: /^\S*pulumi (up|preview|refresh|destroy)/, ...PROCESSES };

/** Costs of one size by name. */
class Costs {
  readonly entries = new Map<string, { readonly cost: number; readonly text: string }>();

  constructor(
    readonly zones: number,
    readonly title: string,
  ) {}

  add(what: string, cost: number, text = TEXTS.find(([unit]) => what.includes(unit))![1](cost)): void {
    this.entries.set(what, { cost, text });
    console.log(`  ${this.title}, ${what}: ${text}`);
  }
}

/** Texts of a cost by its name; the last one is that of times. */
const TEXTS: readonly (readonly [unit: string, text: (cost: number) => string])[] = [
  ["memory", (cost) => `${thousands(cost)} MB`],
  ["state", (cost) => `${(cost / 1e6).toFixed(1)} MB`],
  ["resources", thousands],
  ["sockets", thousands],
  ["rows", thousands],
  ["", (cost) => `${(cost / 1000).toFixed(1)} s`],
];

/** Processor time of a phase, the memory of CLI, program and provider together, and the provider's sockets. */
async function phase(project: Project, name: string, args: readonly string[], daemons: readonly number[], costs: Costs): Promise<void> {
  let time: Taken = { clock: 0, processor: 0 };
  const run = async () => void (time = await taken(daemons, () => project.run(...args)));
  const found = await largest(WATCHED, { resident: peak, open: sockets }, run, PERIOD);
  costs.add(name, time.processor, said(time));
  costs.add(
    `${name}, memory`,
    Object.values(found).reduce((sum, { resident }) => sum + resident, 0),
    Object.entries(found)
      .map(([part, { resident }]) => `${part} ${Math.round(resident)} MB`)
      .join(", "),
  );
  if (name === "up") costs.add("sockets of the provider", found["provider"]?.open ?? 0);
}

/** Translation of one zone by a northd that starts when all rows are there. */
async function translated(central: Central, costs: Costs): Promise<void> {
  await central.start("northd");
  await central.run("ovn-nbctl", ["--wait=sb", "--timeout=120", "sync"], { timeout: 130_000 });
  const pid = central.pid("northd")!;
  costs.add("northd of one zone, from start to translated", threadTime(pid), `${(threadTime(pid) / 1000).toFixed(2)} s`);
  costs.add("northd of one zone, memory", peak(pid));
  for (const table of ["Logical_Flow", "Port_Binding"]) {
    const { stdout } = await central.run("ovn-sbctl", ["--bare", "--columns=_uuid", "list", table], { timeout: 60_000 });
    costs.add(`rows of ${table} in one zone`, stdout.split("\n").filter(Boolean).length);
  }
  for (const server of ["northbound", "southbound"] as const) costs.add(`${server} server of this zone, memory`, peak(central.pid(server)!));
}

/**
 * @param zones of the network, of which the stack writes the first ones
 * @param phases to measure; the last one leaves the network in place
 */
async function measured(own: number, zones = own, phases: readonly (typeof PHASES)[number][] = PHASES): Promise<Costs> {
  const costs = new Costs(zones, own === zones ? `${zones} zones` : `${own} of ${thousands(zones)} zones`);
  const centrals: Central[] = [];
  try {
    for (let index = 0; index < own; index++) centrals.push(await startCentral({ northd: false }));
    const config = Object.fromEntries(centrals.map(({ northbound, southbound }, index) => [nodeName(index), { northbound, southbound }]));
    await using project = await Project.create(network(zones, 2 * zones, own), config);
    const daemons = centrals.flatMap((central) => [central.pid("northbound")!, central.pid("southbound")!]);
    const plain = { ...project.env };
    for (const [name, args, environment] of phases) {
      for (const key of Object.keys(WITHOUT_CHECKPOINTS)) delete project.env[key];
      Object.assign(project.env, plain, environment);
      await phase(project, name, args, daemons, costs);
    }
    const text = await readFile(join(project.folder, "backend/state/.pulumi/stacks/bench/dev.json"), "utf8");
    costs.add("state", text.length);
    costs.add("resources", (JSON.parse(text) as { checkpoint: { latest: { resources: unknown[] } } }).checkpoint.latest.resources.length);
    await translated(centrals.at(-1)!, costs);
    return costs;
  } finally {
    await Promise.all(centrals.map((central) => central.stop()));
  }
}

const row = (what: string, ours: string, goal = ""): Result => ({ what, ours, peer: "", ratio: "", goal, met: true });

/** Costs of sizes that were not measured, and how well the model computes the largest measured size from the others. */
function computed(sizes: readonly Costs[]): Result[] {
  if (sizes.length < 4) return [];
  const largestSize = Math.max(...sizes.map(({ zones }) => zones));
  const beyond = COMPUTED.filter((zones) => zones > largestSize);
  return [...sizes[0]!.entries.keys()].flatMap((what) => {
    const model = costModel(sizes.map(({ zones, entries }) => ({ size: zones, cost: entries.get(what)!.cost })));
    const text = TEXTS.find(([unit]) => what.includes(unit))![1];
    const error = `model at ${largestSize} zones: ${model.error >= 0 ? "+" : ""}${(100 * model.error).toFixed(0)} %`;
    return beyond.map((zones) => row(`${zones} zones, ${what} (computed)`, text(model.at(zones)), error));
  });
}

export const scale: Benchmark = {
  name: "scale",
  title: "Hundreds of zones, measured and computed",
  method: `Layer2Network with two workloads and two ovsdb-servers per zone, file backend; northd in one zone only, after the update. Processor time of Pulumi, program, provider and servers; clock in brackets. Memory: largest resident size of each. Computed: a + b·n + c·n² through the measured sizes; the last column is its error for the largest one, from the others.`,
  async run() {
    const sizes: Costs[] = [];
    for (const zones of SIZES) sizes.push(await measured(zones));
    const all = [...sizes, await measured(REGION.own, REGION.zones)];
    return [...all.flatMap(({ title, entries }) => [...entries].map(([what, { text }]) => row(`${title}, ${what}`, text))), ...computed(sizes)];
  },
};

/** Zones whose `up` is measured by itself, which takes minutes. */
const LARGE = Number(process.env.BENCH_LARGE ?? 300);

export const scaleUp: Benchmark = {
  name: "scale-up",
  title: `pulumi up of ${LARGE} zones`,
  method: `As the phase \`up\` of \`npm run bench scale\`, in a new stack: the state is written after each step of a resource. \`BENCH_LARGE\` names another number of zones.`,
  async run() {
    const { title, entries } = await measured(LARGE, LARGE, PHASES.slice(-1));
    return [...entries].map(([what, { text }]) => row(`${title}, ${what}`, text));
  },
};
