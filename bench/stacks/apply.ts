import { execFile } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { binaries, type Central, startCentral } from "@pulumi-ovn/sandbox";
import { projectRoot } from "@pulumi-ovn/sandbox/dist/kit/project-root";
import { inTurns, timed } from "../kit/measure";
import type { Benchmark } from "../kit/report";
import { Project } from "./project";

const ZONES = 10;
const ROUNDS = 5;
const zones = Array.from({ length: ZONES }, (_, index) => `node${index + 1}`);

/** In each zone a switch with ports. The version changes half of the ports. */
const PROGRAM = `
const version = Number(require("fs").readFileSync("version", "utf8"));
for (const zone of ${JSON.stringify(zones)}) {
  const sw = new ovn.Layer2Switch("sw-" + zone, { zone, name: "l2", subnets: ["203.203.0.0/16"], tunnelKey: 16715800 });
  new ovn.WorkloadPorts("ports-" + zone, { zone, switch: sw.uuid, ports: Object.fromEntries(Array.from({ length: 20 }, (_, i) =>
    ["vm" + i, { addresses: ["203.203." + (i % 2 ? version : 1) + "." + (i + 10)], tunnelKey: 20 + i }])) });
}`;

/** Folder for PATH with ovsdb-client, which timers on hosts need. */
async function pathWithClient(folder: string): Promise<string> {
  const bin = join(folder, "bin");
  await mkdir(bin);
  const tool = (await binaries()).command("ovsdb-client", []);
  await writeFile(join(bin, "ovsdb-client"), `#!/bin/sh\nexec ${[tool.file, ...tool.args].join(" ")} "$@"\n`, { mode: 0o755 });
  return bin;
}

export const apply: Benchmark = {
  name: "apply",
  title: "A confirmed apply of 10 zones",
  method: `\`pulumi-ovn apply --revert-in 120 --probe true\` of 100 changed rows in ${ZONES} zones (databases and northd), with timers on the host. Peer: \`pulumi up\`, with its preview, of the same change; medians of ${ROUNDS} rounds in turns.`,
  async run() {
    const centrals = await Promise.all(zones.map(async (zone): Promise<[string, Central]> => [zone, await startCentral()]));
    try {
      await using project = await Project.create(
        PROGRAM,
        Object.fromEntries(centrals.map(([zone, { northbound, southbound }]) => [zone, { northbound, southbound }])),
      );
      const env = { ...project.env, PATH: `${await pathWithClient(project.folder)}:${project.env.PATH}` };
      let version = 1;
      const next = () => writeFile(join(project.folder, "version"), String(++version));
      await next();
      await project.run("up", "--yes", "--skip-preview");
      const args = ["apply", "--cwd", project.folder, "--stack", "dev", "--revert-in", "120", "--probe", "true"];
      const confirmed = async () => {
        await next();
        return timed(() => promisify(execFile)(process.execPath, [join(projectRoot, "sdk/bin/pulumi-ovn.js"), ...args], { env, maxBuffer: 1e9 }));
      };
      const bare = async () => {
        await next();
        return timed(() => project.run("up", "--yes"));
      };
      const { ours, peer } = await inTurns(ROUNDS, confirmed, bare);
      const ratio = ours / peer;
      return [
        {
          what: "apply",
          ours: `${(ours / 1000).toFixed(2)} s`,
          peer: `bare up ${(peer / 1000).toFixed(2)} s`,
          ratio: ratio.toFixed(2),
          goal: "at most 1.30",
          met: ratio <= 1.3,
        },
      ];
    } finally {
      await Promise.all(centrals.map(([, central]) => central.stop()));
    }
  },
};
