import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { startCentral, type Central } from "@pulumi-ovn/sandbox";
import { projectRoot } from "@pulumi-ovn/sandbox/dist/kit/project-root";
import { inTurns, timed } from "../kit/measure";
import type { Benchmark } from "../kit/report";
import { Project } from "./project";

const HOSTS = 10;
const ROUNDS = 3;
const zones = Array.from({ length: HOSTS }, (_, index) => `node${index + 1}`);

/** A network of the gateway topology, a workload on each node. */
const OURS = `
const zones = ${JSON.stringify(zones)};
new ovn.Layer2Network("blue", {
  name: "blue", subnets: ["203.203.0.0/16"], tunnelKeys: [16715779, 16715780], waitFor: "southbound",
  nodes: Object.fromEntries(zones.map((zone, i) => [zone, { id: i + 2, topology: "gateway", tunnelAddresses: ["198.18.0." + (i + 1)], external: { addresses: ["172.18.0." + (i + 11) + "/24"] } }])),
  workloads: Object.fromEntries(zones.map((zone, i) => ["vm" + i, { node: zone, addresses: ["203.203.0." + (i + 17)] }])),
});`;

/** Resources of a stage that change: what is between switch and router, and a wait, in each zone; and those that don't. */
const CHANGED = 2 * HOSTS;
const UNCHANGED = 4 * HOSTS + 1;

/** Resources that do nothing, served by the same stock provider process. */
const TRIVIAL = `
const text = "exports.handler=()=>({check:async(o,n)=>({inputs:n}),diff:async(_,o,n)=>({changes:o.value!==n.value}),create:async(i)=>({id:i.name,outs:i}),update:async(_,o,n)=>({outs:n}),delete:async()=>{}})";
const value = new pulumi.Config().get("value") ?? "0";
for (let i = 0; i < ${CHANGED + UNCHANGED}; i++) new pulumi.CustomResource("pulumi-nodejs:dynamic:Resource", "r" + i, { name: "r" + i, value: i < ${CHANGED} ? value : "0", __provider: text });`;

/** Milliseconds of the one stage that the command walks, from its preview to its last gate, as its log has them. */
async function walkStage(project: Project): Promise<number> {
  const log = join(project.folder, "log");
  await writeFile(log, "");
  const args = ["upgrade", "--cwd", project.folder, "--stack", "dev", "--loaded", "--stages", "1", "--log", log];
  await promisify(execFile)(process.execPath, [join(projectRoot, "sdk/bin/pulumi-ovn.js"), ...args], { env: project.env, maxBuffer: 1e9 });
  const lines = (await readFile(log, "utf8"))
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { event: string; seconds: number });
  return lines.find(({ event }) => event === "passed")!.seconds * 1000;
}

export const upgradeStage: Benchmark = {
  name: "upgrade-stage",
  title: "One stage of an upgrade of 10 hosts",
  method: `The first stage of ${HOSTS} zones (databases and northd): preview, gates, update, gates. Peer: \`pulumi up\` with its preview of ${CHANGED + UNCHANGED} trivial resources, ${CHANGED} of which change; medians of ${ROUNDS} rounds in turns.`,
  async run() {
    const centrals = await Promise.all(zones.map(async (zone): Promise<[string, Central]> => [zone, await startCentral()]));
    try {
      const config = Object.fromEntries(centrals.map(([zone, { northbound, southbound }]) => [zone, { northbound, southbound }]));
      await using network = await Project.create(OURS, config);
      await using trivial = await Project.create(TRIVIAL, {});
      await network.run("up", "--yes", "--skip-preview");
      await trivial.run("up", "--yes", "--skip-preview");
      let value = 0;
      const stage = async () => {
        const forward = await walkStage(network);
        await writeFile(join(network.folder, "Pulumi.dev.yaml"), "config:\n  ovn:targets: targets.yaml\n");
        await network.run("up", "--yes", "--skip-preview");
        return forward;
      };
      const bare = async () => {
        await trivial.run("config", "set", "value", String(++value));
        return timed(() => trivial.run("up", "--yes"));
      };
      const { ours, peer } = await inTurns(ROUNDS, stage, bare);
      const ratio = ours / peer;
      return [
        {
          what: "one stage",
          ours: `${(ours / 1000).toFixed(2)} s`,
          peer: `bare up ${(peer / 1000).toFixed(2)} s`,
          ratio: ratio.toFixed(2),
          goal: "at most 1.10",
          met: ratio <= 1.1,
        },
      ];
    } finally {
      await Promise.all(centrals.map(([, central]) => central.stop()));
    }
  },
};
