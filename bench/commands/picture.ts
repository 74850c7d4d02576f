import { execFile } from "node:child_process";
import { mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { planLayer2Network, typeToken } from "@pulumi-ovn/provider";
import { browser } from "@pulumi-ovn/sandbox";
import { chromium } from "playwright-core";
import { projectRoot } from "@pulumi-ovn/sandbox/dist/kit/project-root";
import { median, ms, timed } from "../kit/measure";
import type { Benchmark, Result } from "../kit/report";
import { largeNetwork } from "./large-network";

const run = promisify(execFile);
const ROUNDS = 3;
const COMMAND = join(projectRoot, "sdk/bin/pulumi-ovn.js");

export const picture: Benchmark = {
  name: "picture",
  title: "Pictures and pages of large networks",
  method: `\`pulumi-ovn picture --html\` of a state in a file, the whole process by the clock; then the page in headless Chromium until it answers a search. Medians of ${ROUNDS} runs.`,
  async run() {
    const folder = await mkdtemp(join(tmpdir(), "picture-"));
    try {
      return [...(await measured(folder, 100, 1_000, 1_000)), ...(await measured(folder, 300, 5_000, undefined))];
    } finally {
      await rm(folder, { recursive: true });
    }
  },
};

async function measured(folder: string, zones: number, workloads: number, opensWithin: number | undefined): Promise<Result[]> {
  const [state, page] = [join(folder, "state.json"), join(folder, "page.html")];
  await writeFile(state, JSON.stringify({ version: 3, deployment: { resources: resources(zones, workloads) } }));
  const taken: number[] = [];
  for (let round = 0; round < ROUNDS; round++)
    taken.push(await timed(() => run(process.execPath, [COMMAND, "picture", "--state", state, "--html", "--out", page], { maxBuffer: 1 << 26 })));
  const { size } = await stat(page);
  const opened = await opening(page);
  const what = `${zones} zones, ${workloads} workloads`;
  const result = (name: string, ours: string, goal: string, met: boolean): Result => ({ what: `${what}: ${name}`, ours, peer: "", ratio: "", goal, met });
  return [
    result("command", ms(median(taken)), "at most 5 s", median(taken) <= 5_000),
    result("size of the page", `${(size / 1e6).toFixed(2)} MB`, "at most 2 MB", size <= 2e6),
    result("opens", ms(opened), opensWithin === undefined ? "" : "at most 1 s", opensWithin === undefined || opened <= opensWithin),
  ];
}

async function opening(path: string): Promise<number> {
  const { program, env } = await browser();
  const running = await chromium.launch({ executablePath: program, env: { ...process.env, ...env }, args: ["--no-sandbox"] });
  try {
    const taken: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const shown = await running.newPage();
      taken.push(
        await timed(async () => {
          await shown.goto(`file://${path}`);
          await shown.fill("#search", "vm999");
          await shown.waitForSelector("#results button");
        }),
      );
      await shown.close();
    }
    return median(taken);
  } finally {
    await running.close();
  }
}

/** Resources of a network as a state has them, each with rows of the usual length. */
function resources(zones: number, workloads: number): object[] {
  const plan = planLayer2Network(largeNetwork(zones, workloads, (index) => ({ tunnelAddresses: [`198.18.${index >> 8}.${index & 255}`] })));
  const rows = Object.fromEntries(
    Array.from({ length: 8 }, (_, index) => [`Logical_Router_Port port-${index}`, `mac=0a:58:64:58:00:0${index} ${"networks=100.88.0.4/31 ".repeat(5)}`]),
  );
  const reference = (list: string) => `${list} of blue-members: ${zones}, digest x`;
  const resource = (kind: string, label: string, inputs: object) => ({
    urn: `urn:pulumi:dev::net::${typeToken(kind)}::blue-${label}`,
    type: typeToken(kind),
    inputs: { ...inputs, rows },
  });
  return [
    resource("NetworkMembers", "members", { ...plan.members, lists: Object.fromEntries(Object.keys(plan.members).map((list) => [list, reference(list)])) }),
    ...Object.entries(plan.zones).flatMap(([zone, part]) => {
      return [
        resource("Layer2Switch", `switch-${zone}`, { ...part.switch, uuid: `switch ${zone}` }),
        resource("GatewayRouter", `gateway-${zone}`, { ...part.gatewayRouter, uuid: `router ${zone}` }),
        resource("Layer2Gateway", `topology-${zone}`, {
          ...part.gateway,
          switch: `switch ${zone}`,
          gatewayRouter: `router ${zone}`,
          members: reference("nodes"),
        }),
        resource("WorkloadPorts", `workloads-${zone}`, { zone, switch: `switch ${zone}`, members: reference("workloads") }),
        resource("RemoteChassis", `chassis-${zone}`, { zone, members: reference("chassis") }),
      ];
    }),
  ];
}
