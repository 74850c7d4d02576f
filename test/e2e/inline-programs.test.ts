/**
 * Programs that run at the same time in one process.
 * @once
 */
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { type Central, startCentral } from "@pulumi-ovn/sandbox";
import { projectRoot, pulumiEnvironment, pulumiFolder } from "@pulumi-ovn/sandbox/testing";

let central: Central;
let folder: string;
beforeAll(async () => {
  central = await startCentral({ northd: false });
  await central.run("ovn-nbctl", ["init"]);
  await mkdir(join(projectRoot, ".sandbox"), { recursive: true });
  folder = await mkdtemp(join(projectRoot, ".sandbox", "inline-"));
  await mkdir(join(folder, "state", "state"), { recursive: true });
});
afterAll(async () => {
  await central?.stop();
  if (folder) await rm(folder, { recursive: true });
});

/** A server of Pulumi's Automation API: runs programs inside of its own process. */
const SERVER = `
const { LocalWorkspace } = require("@pulumi/pulumi/automation");
const ovn = require("pulumi-ovn");

const program = (...names) => async () => {
  for (const [index, name] of names.entries()) new ovn.Layer2Switch("switch" + index, { zone: "node1", name, subnets: ["203.203.0.0/16"], tunnelKey: 5 });
};
async function run(what, stackName, ...names) {
  const stack = await LocalWorkspace.createOrSelectStack({ stackName, projectName: "inline", program: program(...names) }, { workDir: __dirname });
  await stack.setConfig("ovn:targets", { value: process.argv[2] });
  return stack[what]().then(({ summary, changeSummary }) => summary?.resourceChanges ?? changeSummary, (error) => /OVN_\\w+: [^\\n]*/.exec(error.message)?.[0] ?? error.message);
}

(async () => {
  const results = [];
  // At the same time, one after another, and a program that is wrong by itself.
  results.push(...(await Promise.all([run("preview", "one", "l2"), run("preview", "two", "l3")])));
  results.push(await run("up", "one", "l2"));
  results.push(await run("up", "one", "renamed"));
  results.push(await run("preview", "two", "a", "b"));
  results.push(await run("destroy", "one"));
  console.log(JSON.stringify(results));
  process.exit();
})();
`;

it("judges each run of an inline program by itself", async () => {
  await writeFile(join(folder, "server.js"), SERVER);
  const env = pulumiEnvironment(await pulumiFolder(() => undefined), join(folder, "state"));
  const targets = join(folder, "targets.yaml");
  await writeFile(targets, JSON.stringify({ zones: { node1: { northbound: central.northbound } } }));
  const { stdout } = await promisify(execFile)(process.execPath, [join(folder, "server.js"), targets], { cwd: folder, env });
  expect(JSON.parse(stdout)).toEqual([
    { create: 2 },
    { create: 2 },
    { create: 2 },
    { same: 1, update: 1 },
    'OVN_CLAIMED: tunnel key 5 in zone "node1" is already used by switch0 for switch "a", wanted by switch1 for switch "b"; give one of the two another tunnel key, or both keys of a TunnelKeyPool',
    { delete: 2 },
  ]);
  expect((await central.run("ovn-nbctl", ["show"])).stdout).toBe("");
}, 120_000);
