import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { startCentral, type Central } from "@pulumi-ovn/sandbox";
import type { Taken } from "../kit/measure";
import { taken } from "../kit/processor";
import type { Benchmark, Result } from "../kit/report";
import { Project } from "./project";
import { largestResident } from "./resident";

/** Zones of the networks that are measured; `BENCH_ZONES="10 30"` names others. */
const SIZES = (process.env.BENCH_ZONES ?? "10 100").split(" ").map(Number);
/** Workloads on three zones, for the preview. */
const WORKLOADS = Number(process.env.BENCH_WORKLOADS ?? 5000);

export const nodeName = (index: number) => `node${index + 1}`;

/**
 * The program of a network with two workloads a zone.
 * @param own zones that its stack writes
 */
export const network = (zones: number, workloads = 2 * zones, own = zones) => `
const nodes = Object.fromEntries(Array.from({ length: ${zones} }, (_, i) => ["node" + (i + 1), {
  id: i + 2, tunnelAddresses: ["198.18." + (i >> 8) + "." + (i % 256)], external: { addresses: ["172.18." + (i + 1 >> 8) + "." + ((i + 1) % 256) + "/16"], nextHops: ["172.18.255.1"] },
}]));
const workloads = Object.fromEntries(Array.from({ length: ${workloads} }, (_, i) => ["vm" + i, { node: "node" + (i % ${zones} + 1), addresses: ["10.128." + (i + 16 >> 8) + "." + ((i + 16) % 256)] }]));
new ovn.Layer2Network("blue", { name: "blue", subnets: ["10.128.0.0/16"], tunnelKeys: [16715779, 16715780], waitFor: "none", nodes, workloads, zones: Object.keys(nodes).slice(0, ${own}) });`;

/** Trivial resources, served by the same stock provider process. */
const trivial = (count: number) => `
const text = "exports.handler=()=>({check:async(o,n)=>({inputs:n}),diff:async()=>({changes:false}),create:async(i)=>({id:i.name,outs:i}),read:async(id,p)=>({id,props:p}),delete:async()=>{}})";
for (let i = 0; i < ${count}; i++) new pulumi.CustomResource("pulumi-nodejs:dynamic:Resource", "r" + i, { name: "r" + i, __provider: text });`;

const PHASES = [
  ["up", ["up", "--yes", "--skip-preview"]],
  ["preview", ["preview"]],
  ["refresh", ["refresh", "--yes", "--skip-preview"]],
  ["destroy", ["destroy", "--yes", "--skip-preview"]],
] as const;

/** Pulumi then writes the state once, at the end, instead of twice for each resource (docs/explanation/performance.md). */
export const WITHOUT_CHECKPOINTS = { PULUMI_SKIP_CHECKPOINTS: "true", PULUMI_EXPERIMENTAL: "true" };

/** The second walk is without checkpoints; a preview writes none, and a refresh one. */
const WALKS = [
  { how: "", phases: PHASES, environment: {} },
  { how: " without checkpoints", phases: PHASES.filter(([phase]) => phase === "up" || phase === "destroy"), environment: WITHOUT_CHECKPOINTS },
] as const;
type Walk = (typeof WALKS)[number];

interface Walked {
  readonly times: Readonly<Record<string, Taken>>;
  readonly bytes: number;
  readonly resources: number;
}

/** @param daemons whose processor time counts, too */
async function walk(project: Project, { phases, environment }: Walk, daemons: readonly number[]): Promise<Walked> {
  Object.assign(project.env, environment);
  const times: Record<string, Taken> = {};
  let [bytes, resources] = [0, 0];
  for (const [phase, args] of phases) {
    times[phase] = await taken(daemons, () => project.run(...args));
    if (phase !== "up") continue;
    const text = await readFile(join(project.folder, "backend/state/.pulumi/stacks/bench/dev.json"), "utf8");
    bytes = text.length;
    resources = (JSON.parse(text) as { checkpoint: { latest: { resources: unknown[] } } }).checkpoint.latest.resources.length;
  }
  return { times, bytes, resources };
}

async function compared(zones: number, config: object, way: Walk, daemons: readonly number[]): Promise<Result[]> {
  await using project = await Project.create(network(zones), config);
  const ours = await walk(project, way, daemons);
  await using peer = await Project.create(trivial(ours.resources - 2), {});
  const theirs = await walk(peer, way, []);
  const size = ours.bytes / zones;
  const state: Result = {
    what: `${zones} zones, state of a zone`,
    ours: `${(size / 1000).toFixed(1)} kB`,
    peer: "",
    ratio: "",
    goal: "at most 15 kB",
    met: size <= 15_000,
  };
  return [
    ...(way.how === "" ? [state] : []),
    ...way.phases.map(([phase]): Result => {
      const [own, other] = [ours.times[phase]!, theirs.times[phase]!];
      const [processor, clock] = [own.processor / other.processor, own.clock / other.clock];
      const ratio = `${processor.toFixed(2)} (${clock.toFixed(2)})`;
      return {
        what: `${zones} zones, ${phase}${way.how}`,
        ours: said(own),
        peer: `${ours.resources} trivial ${said(other)}`,
        ratio,
        goal: "at most 1.3",
        met: processor <= 1.3,
      };
    }),
  ];
}

async function measured(zones: number): Promise<Result[]> {
  const centrals: [string, Central][] = [];
  try {
    for (let index = 0; index < zones; index++) centrals.push([nodeName(index), await startCentral({ northd: false })]);
    const config = Object.fromEntries(centrals.map(([zone, { northbound, southbound }]) => [zone, { northbound, southbound }]));
    const daemons = centrals.flatMap(([, central]) => [central.pid("northbound")!, central.pid("southbound")!]);
    const results: Result[] = [];
    for (const way of WALKS) results.push(...(await compared(zones, config, way, daemons)));
    return results;
  } finally {
    await Promise.all(centrals.map(([, central]) => central.stop()));
  }
}

export const said = ({ clock, processor }: Taken): string => `${(processor / 1000).toFixed(1)} s (${(clock / 1000).toFixed(1)} s)`;

export const wide: Benchmark = {
  name: "wide",
  title: "A network over many zones",
  method:
    "Layer2Network with two workloads and two ovsdb-servers per zone (no northd), file backend; peer: as many trivial resources. Processor time of Pulumi, program, provider and servers; clock in brackets. Without checkpoints: PULUMI_SKIP_CHECKPOINTS. Memory: program and provider.",
  async run() {
    const results: Result[] = [];
    for (const zones of SIZES) results.push(...(await measured(zones)));
    return [...results, ...(WORKLOADS > 0 ? await manyWorkloads() : [])];
  },
};

export const PROCESSES = { program: /@pulumi\/pulumi\/cmd\/run\//, provider: /@pulumi\/pulumi\/cmd\/dynamic-provider\// };
const sum = (sizes: Readonly<Record<string, number>>): number => Math.round(Object.values(sizes).reduce((total, size) => total + size, 0));

async function manyWorkloads(): Promise<Result[]> {
  const config = Object.fromEntries(
    [0, 1, 2].map((index) => [nodeName(index), { northbound: `unix:/nonexistent/nb${index}.sock`, southbound: `unix:/nonexistent/sb${index}.sock` }]),
  );
  await using project = await Project.create(network(3, WORKLOADS), config);
  await using peer = await Project.create(trivial(16), {});
  const [ours, theirs] = [await taken([], () => project.run("preview")), await taken([], () => peer.run("preview"))];
  // In runs of their own: to look at processes takes processor time of this one, which counts.
  const [own, other] = [await largestResident(PROCESSES, () => project.run("preview")), await largestResident(PROCESSES, () => peer.run("preview"))];
  return [
    {
      what: `preview of ${WORKLOADS} workloads`,
      ours: said(ours),
      peer: `16 trivial ${said(theirs)}`,
      ratio: (ours.processor / theirs.processor).toFixed(2),
      goal: "at most 8 s",
      met: ours.clock <= 8000,
    },
    {
      what: "its memory, of program and provider",
      ours: `${sum(own)} MB`,
      peer: `16 trivial ${sum(other)} MB`,
      ratio: (sum(own) / sum(other)).toFixed(2),
      goal: "at most 400 MB",
      met: sum(own) <= 400,
    },
  ];
}
