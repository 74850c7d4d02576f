import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { commandLine, usageErrorOutput } from "../../../support/command-line";
import { vpcState } from "../../../support/vpc-state";
import { SAMPLE } from "../../vpc/sample";

const folder = mkdtempSync(join(tmpdir(), "status-"));
const state = join(folder, "state.json");
beforeEach(() => {
  process.env["PULUMI_OVN_TARGETS"] = join(folder, "targets.yaml");
  const host = { openvswitch: `unix:${folder}/none`, command: ["false"] };
  writeFileSync(join(folder, "targets.yaml"), JSON.stringify({ hosts: { h1: host, h2: host } }));
  writeFileSync(state, JSON.stringify(vpcState(SAMPLE)));
});
afterAll(() => {
  delete process.env["PULUMI_OVN_TARGETS"];
  rmSync(folder, { recursive: true, force: true });
});

it("shows a line for an unreachable host, and for one that the targets lack", async () => {
  const { code, stdout, stderr } = await commandLine("status", "--state", state, "--cwd", folder);
  expect([code, stderr]).toEqual([1, ""]);
  expect(stdout).toMatch(/^! {2}h1 +no +0 of 4 up +unknown +OVSDB_CONNECTION: .*; OVN_HOST_UNREACHABLE: "?false/m);
  expect(stdout).toMatch(/^! {2}h3 +no +0 of 4 up +virtual router +OVN_HOST: host "h3" is not configured/m);
});

it("prints one object with --json", async () => {
  const { code, stdout } = await commandLine("status", "--state", state, "--cwd", folder, "--json");
  expect(code).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({
    version: 1,
    project: "net",
    stack: "dev",
    problems: 3,
    vpcs: [{ name: "blue", virtualRouter: "h3", hosts: [{ host: "h1", reached: false }, { host: "h2" }, { host: "h3" }] }],
  });
});

it("writes a page with --html: the picture, and the tables of live facts", async () => {
  const { code, stdout, stderr } = await commandLine("status", "--state", state, "--cwd", folder, "--html");
  expect([code, stderr]).toEqual([1, ""]);
  expect(stdout).toMatch(/^<!doctype html>[^]*<svg [^]*>host h1<[^]*<tr class="error"><td>!<\/td><td>h1<\/td>[^]*<\/html>\n$/);
});

it("reports a stack without resources that have a status", async () => {
  writeFileSync(
    state,
    JSON.stringify({ version: 3, deployment: { resources: [{ urn: "urn:pulumi:dev::net::pulumi:pulumi:Stack::x", type: "pulumi:pulumi:Stack" }] } }),
  );
  expect(await commandLine("status", "--state", state, "--cwd", folder)).toEqual({
    code: 0,
    stdout:
      'status shows VPCs, BGP exposures and intents, and stack dev has none of them; "pulumi preview --refresh" compares what it has with the databases\n',
    stderr: "",
  });
});

it("reads the environment's file of targets relative to the project's folder, as Pulumi does, in any current folder", async () => {
  const project = join(folder, "project");
  mkdirSync(join(project, "deep"), { recursive: true });
  writeFileSync(join(project, "Pulumi.yaml"), "name: net\nruntime: nodejs\n");
  writeFileSync(join(project, "live.yaml"), JSON.stringify({ hosts: { h3: { openvswitch: "unix:/none", command: ["false"] } } }));
  process.env["PULUMI_OVN_TARGETS"] = "live.yaml";
  for (const cwd of [project, join(project, "deep")]) {
    const { code, stdout } = await commandLine("status", "--state", state, "--cwd", cwd);
    expect([code, stdout]).toEqual([1, expect.stringMatching(/host "h1" is not configured; the targets have "?h3/)]);
  }
});

it("refuses a state of another project than the folder's, as drift and trace do", async () => {
  const project = join(folder, "other");
  mkdirSync(project);
  writeFileSync(join(project, "Pulumi.yaml"), "name: other\nruntime: nodejs\n");
  const packet = ["--from", "w1", "--to", "10.1.2.12"];
  for (const [command, ...args] of [["status"], ["drift"], ["trace", ...packet]] as const) {
    expect(await commandLine(command, ...args, "--state", state, "--cwd", project)).toEqual({
      code: 1,
      stdout: "",
      stderr: `pulumi-ovn ${command}: OVN_STATE: ${state} is of project "net", and the project in ${project} is "other"; pass --cwd with the folder of "net"\n`,
    });
  }
});

it.each([
  [["--watch", "--interval", "0"], "OVN_USAGE: --interval 0: expected seconds, 1 to 3600"],
  [["--interval", "10"], "OVN_USAGE: --interval needs --watch"],
  [["--timeout", "x"], "OVN_USAGE: --timeout x: expected seconds, 1 to 600"],
  [["--timeout", "601"], "OVN_USAGE: --timeout 601: expected seconds, 1 to 600"],
  [["--watch", "--state", "-"], "OVN_USAGE: --watch reads the state at each look, and standard input is there once: name a file"],
  [["--stack", "a", "--state", "b"], "OVN_USAGE: --stack or --state, not both: a state names its stack"],
  [["--agent", "x"], "OVN_USAGE: --agent x: expected ADDRESS:PORT, such as 127.0.0.1:9475 or [::1]:9475"],
  [["--vpc-agent", "x"], "OVN_USAGE: --vpc-agent x: expected ADDRESS:PORT, such as 127.0.0.1:9476 or [::1]:9476"],
  [["--html", "--json"], "OVN_USAGE: --html or --json, not both"],
  [["blue"], /^OVN_USAGE: Unexpected argument 'blue'/],
])("refuses %j", async (args, message) => {
  const { code, stdout, stderr } = await commandLine("status", ...args);
  expect([code, stdout]).toEqual([2, usageErrorOutput(args, "--html or --json, not both")]);
  expect(stderr.replace("pulumi-ovn status: ", "").trim()).toEqual(typeof message === "string" ? message : expect.stringMatching(message));
});

it("fails without a state", async () => {
  const { code, stderr } = await commandLine("status", "--state", join(folder, "none.json"));
  expect([code, stderr]).toEqual([1, expect.stringMatching(/^pulumi-ovn status: OVN_STATE: can't read /)]);
});
