import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, readFile, writeFile } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { parseAllDocuments } from "yaml";
import { binaries } from "@pulumi-ovn/sandbox";
import { projectRoot, pulumiEnvironment, pulumiFolder } from "@pulumi-ovn/sandbox/testing";
import { Forge, GITHUB, GITLAB, TOKEN } from "../support/pipeline/forge";
import { runWorkflow } from "../support/pipeline/github";
import { runPipeline } from "../support/pipeline/gitlab";
import { type Machine, startMachine } from "../support/pipeline/machine";
import { TestZones } from "../support/zones";

// The files of docs/ci as they stand, over a real repository: each step by its shell, actions and the forge's API by stand-ins.
jest.setTimeout(900_000);

const ciFile = (name: string) => join(projectRoot, "docs/ci", name);
let folder: string;
let project: string;
let zones: TestZones;
let machine: Machine;
let targets: string;

/** Variables of the runner's machine for each job: the state, and how npm reaches its registry. */
function runnerVariables(pulumi: string, home: string): Record<string, string> {
  const own = Object.entries(pulumiEnvironment(pulumi, home)).filter(([name]) =>
    /^(PULUMI_(?!OVN)|npm_config_|NODE_EXTRA_CA_CERTS$|https?_proxy$)/i.test(name),
  );
  const npm = {
    npm_config_userconfig: join(homedir(), ".npmrc"),
    npm_config_cache: join(homedir(), ".npm"),
    npm_config_prefer_offline: "true",
    npm_config_update_notifier: "false",
  };
  return { ...npm, ...(Object.fromEntries(own) as Record<string, string>) };
}

/** Programs as scripts that run those of the tests. */
async function scripts(...names: string[]): Promise<Record<string, string>> {
  const tools = await binaries();
  const script = (name: string) => {
    const { file, args } = tools.command(name, []);
    return `#!/bin/sh\nexec ${[file, ...args].join(" ")} "$@"\n`;
  };
  return Object.fromEntries(names.map((name) => [name, script(name)]));
}

const program = (...workloads: string[]) => `
const ovn = require("pulumi-ovn");
const blue = new ovn.Layer2Switch("blue", { zone: "node1", name: "blue", subnets: ["203.203.0.0/16"], tunnelKey: 5 });
const ports = ${JSON.stringify(Object.fromEntries(workloads.map((name, index) => [name, { addresses: [`203.203.0.${10 + index}`], tunnelKey: 20 + index }])))};
new ovn.WorkloadPorts("ports", { zone: "node1", switch: blue.uuid, ports });
`;

const git = (...args: string[]) => execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], { cwd: project, stdio: "pipe" });
/** Commits the program on a branch; the branch stays checked out. */
async function commit(branch: string, text: string): Promise<void> {
  git("checkout", "--quiet", "-B", branch);
  await writeFile(join(project, "index.js"), text);
  git("add", "--all");
  git("commit", "--quiet", "--allow-empty", `--message=${branch}`);
}

beforeAll(async () => {
  zones = await TestZones.start(["node1"]);
  targets = JSON.stringify({ zones: zones.config });
  folder = await mkdtemp(join(tmpdir(), "pulumi-ovn-pipelines-"));
  project = join(folder, "network");
  await mkdir(join(folder, "home/state"), { recursive: true });
  await mkdir(project);
  const pulumi = await pulumiFolder(() => undefined);
  const variables = runnerVariables(pulumi, join(folder, "home"));
  machine = await startMachine({ folder, repository: project, pulumi, variables }, await scripts("ovsdb-client", "ovsdb-tool"), {
    programs: await scripts("ovsdb-server", "ovn-northd", "ovn-trace"),
    schemas: dirname((await binaries()).schema("ovn-nb.ovsschema")),
  });
  const files = {
    "Pulumi.yaml": "name: network\nruntime:\n  name: nodejs\n  options:\n    typescript: false\n",
    "Pulumi.prod.yaml": "config:\n  ovn:targets: targets.yaml\n",
    "package.json": '{ "name": "network", "private": true }\n',
    "targets.yaml": "zones:\n  node1: unix:/nowhere\n",
    ".gitignore": "node_modules\n",
    "probe.sh": "#!/bin/sh\nexit 0\n",
    "checks.sh": "#!/bin/sh\nexit 0\n",
  };
  for (const [name, text] of Object.entries(files)) await writeFile(join(project, name), text, { mode: name.endsWith(".sh") ? 0o755 : 0o644 });
  const env = { ...process.env, ...variables, PATH: `${pulumi}:${process.env["PATH"]}` };
  execFileSync("npm", ["--prefix", projectRoot, "run", "vendor", "--", project], { stdio: "pipe" });
  execFileSync("npm", ["install", "--no-audit", "--no-fund", "@pulumi/pulumi"], { cwd: project, env, stdio: "pipe" });
  execFileSync("pulumi", ["stack", "init", "prod", "--non-interactive"], { cwd: project, env, stdio: "pipe" });
  git("init", "--quiet", "--initial-branch=main");
  await commit("main", program("vm1"));
});
afterAll(async () => {
  await zones?.stop();
  if (folder) execFileSync("rm", ["-rf", folder]);
});

const ports = async () => (await zones.nbctl("node1", "--bare", "--columns=name", "list", "Logical_Switch_Port")).split("\n").filter(Boolean).sort();

it("takes a change through GitHub: comment, approval, apply, confirmation, drift", async () => {
  await using forge = await Forge.start(GITHUB);
  const run = { secrets: { TARGETS: targets, PULUMI_ACCESS_TOKEN: "" }, github: { token: TOKEN, api_url: forge.url, event: { number: 3 } } };
  const approved: string[] = [];
  const merge = () =>
    runWorkflow(machine, ciFile("github-apply.yml"), {
      ...run,
      ref: "main",
      approve: async (summary) => void approved.push(summary, String(await ports())),
    });
  const preview = () => runWorkflow(machine, ciFile("github-preview.yml"), { ...run, ref: "change" });
  const ours = () => [...forge.comments.values()].filter((text) => text.startsWith("<!-- pulumi-ovn prod -->"));
  await commit("change", "throw new Error('a mistake');");
  expect((await preview())["preview"]).toMatchObject({ failed: true });
  expect(ours()).toEqual([expect.stringMatching(/a mistake/)]);
  await commit("change", program("vm1", "vm2"));
  expect((await preview())["preview"]).toMatchObject({ failed: false });
  expect(ours()).toEqual([expect.stringMatching(/vm2[^]*Gained[^]*`vm2`/)]);
  expect([forge.refused, forge.comments.get("11"), await ports()]).toEqual([[], "Looks good.", []]);

  git("checkout", "--quiet", "main");
  git("merge", "--quiet", "--ff-only", "change");
  expect(Object.entries(await merge()).map(([job, { failed, log }]) => [job, failed && log])).toEqual([
    ["plan", false],
    ["apply", false],
    ["confirm", false],
  ]);
  expect(approved).toEqual([expect.stringContaining("vm2"), ""]);
  expect(await ports()).toEqual(["vm1", "vm2"]);

  const drift = async () => (await runWorkflow(machine, ciFile("github-drift.yml"), { ...run, ref: "main" }))["drift"]!;
  await zones.nbctl("node1", "lsp-set-addresses", "vm2", "unknown");
  expect(await drift()).toMatchObject({ failed: true, summary: expect.stringContaining("vm2") });
});

it("takes a change through GitLab: comment, update, approved plan, drift", async () => {
  await using forge = await Forge.start(GITLAB);
  const file = join(folder, "TARGETS");
  await writeFile(file, targets);
  const common = { CI_DEFAULT_BRANCH: "main", CI_API_V4_URL: `${forge.url}/api/v4`, CI_PROJECT_ID: "7", GITLAB_TOKEN: TOKEN, TARGETS: file };
  const pipeline = (ref: string, variables: Record<string, string>, name = "gitlab-ci.yml") =>
    runPipeline(machine, ciFile(name), ref, { ...common, ...variables });
  const outcome = async (ended: ReturnType<typeof pipeline>) => Object.entries(await ended).map(([job, { failed, log }]) => [job, failed && log]);
  const request = () => pipeline("change", { CI_PIPELINE_SOURCE: "merge_request_event", CI_MERGE_REQUEST_IID: "3" });

  await commit("change", program("vm4"));
  expect(await outcome(request())).toEqual([["preview", false]]);
  await commit("change", program("vm5"));
  expect(await outcome(request())).toEqual([["preview", false]]);
  expect([...forge.comments.values()]).toEqual(["Looks good.", expect.stringMatching(/^<!-- pulumi-ovn prod -->\n[^]*vm5/)]);
  expect(forge.refused).toEqual([]);

  git("checkout", "--quiet", "main");
  git("merge", "--quiet", "--ff-only", "change");
  expect(await outcome(pipeline("main", { CI_PIPELINE_SOURCE: "push", CI_COMMIT_BRANCH: "main" }))).toEqual([["up", false]]);
  expect(await ports()).toEqual(["vm5"]);
  await commit("main", program("vm5", "vm6"));
  const jobs = await outcome(pipeline("main", { CI_PIPELINE_SOURCE: "push", CI_COMMIT_BRANCH: "main" }, "gitlab-apply.yml"));
  expect(jobs).toEqual([
    ["plan", false],
    ["apply", false],
    ["confirm", false],
  ]);
  expect(await ports()).toEqual(["vm5", "vm6"]);
  const scheduled = () => pipeline("main", { CI_PIPELINE_SOURCE: "schedule", CI_COMMIT_BRANCH: "main" });
  await zones.nbctl("node1", "lsp-set-addresses", "vm5", "unknown");
  expect(await outcome(scheduled())).toEqual([["drift", expect.stringContaining("vm5")]]);
});

it("is updated by the operator's workspace: clone, install, stack, up with refresh", async () => {
  const objects = parseAllDocuments(await readFile(ciFile("operator-stack.yaml"), "utf8")).map((document) => document.toJS() as any);
  const { spec } = objects.find(({ kind }) => kind === "Stack");
  const { containers, volumes } = spec.workspaceTemplate.spec.podTemplate.spec;
  const [{ mountPath }] = containers[0].volumeMounts;
  const secret = join(folder, volumes[0].secret.secretName);
  await mkdir(secret);
  await writeFile(join(secret, "targets.yaml"), targets);
  const mounted = Object.fromEntries(containers[0].env.map(({ name, value }: Record<string, string>) => [name, value!.replace(mountPath, secret)]));

  await commit("main", program("vm7"));
  const workDir = await mkdtemp(join(folder, "workspace-"));
  execFileSync("git", ["clone", "--quiet", "--branch", spec.branch, project, workDir], { stdio: "pipe" });
  const envVars = { ...machine.variables, ...mounted, PATH: `${machine.pulumi}:${machine.node}:${machine.path}` };
  const pulumi = (...args: string[]) =>
    execFileSync(join(machine.pulumi, "pulumi"), [...args, "--non-interactive"], { cwd: workDir, env: envVars, stdio: "pipe" });
  // As the operator's agent does by Pulumi's Automation API.
  const update = () => pulumi("up", "--yes", "--skip-preview", "--diff", "--suppress-progress", ...(spec.refresh ? ["--refresh"] : []));
  pulumi("stack", "select", "--create", spec.stack.split("/").at(-1));
  pulumi("install");
  update();
  expect(await ports()).toEqual(["vm7"]);
  await zones.nbctl("node1", "lsp-set-addresses", "vm7", "unknown");
  update(); // each resync puts drift right
  expect(await zones.nbctl("node1", "lsp-get-addresses", "vm7")).toMatch(/ 203\.203\.0\.10$/);
});
