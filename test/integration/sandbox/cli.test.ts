import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Status } from "@pulumi-ovn/sandbox";
import { cli, processesNaming, runFolder, startCli } from "../../support/sandbox-runs";

const folder = runFolder();
process.env["PULUMI_OVN_RUN"] = folder;
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("a running sandbox", () => {
  beforeAll(() => expect(cli(["up", "--hosts", "2"])).toMatchObject({ code: 0, stdout: "" }));
  afterAll(() => expect(cli(["down"])).toMatchObject({ code: 0 }));

  test("a command has its own input, output and exit code", () => {
    expect(cli(["exec", "vm1", "sh", "-c", "echo out; echo err >&2; exit 7"])).toEqual({ code: 7, stdout: "out\n", stderr: "err\n" });
    expect(cli(["exec", "ext", "cat"], "through\n")).toEqual({ code: 0, stdout: "through\n", stderr: "" });
    expect(cli(["exec", "vm1", "nothing-of-this-name"]).code).toBe(127);
    expect(cli(["exec", "node2", "ovn-nbctl", "--bare", "--columns=name", "list", "NB_Global"])).toEqual({ code: 0, stdout: "node2\n", stderr: "" });
    expect(cli(["exec", "vm1", "printf", "%s|", "a b", "*", "$HOME", "--name"]).stdout).toBe("a b|*|$HOME|--name|");
  });

  test("a signal to the command line reaches the command", async () => {
    const child = startCli(["exec", "vm1", "sh", "-c", "trap 'exit 5' TERM; echo ready; while :; do sleep 0.05; done"]);
    const code = new Promise((resolve) => child.once("close", resolve));
    await new Promise((resolve) => child.stdout!.once("data", resolve));
    child.kill("SIGTERM");
    expect(await code).toBe(5);
  });

  test("the status is text, or JSON for programs", () => {
    const { stdout } = cli(["status"]);
    expect(stdout).toMatch(/^sandbox default: 2 hosts, \d+ MB, /);
    expect(stdout).toMatch(/^ {2}vm2 +workload on node2 .* 203\.203\.0\.18 2010:100:200::12 0a:58:cb:cb:00:12$/m);
    const status = JSON.parse(cli(["status", "--json"]).stdout) as Status;
    expect([status.name, status.frr, status.hosts.length, status.workloads.length]).toEqual(["default", false, 2, 2]);
    const sockets = (host: string) => ({
      northbound: `unix:${status.folder}/${host}/ovnnb_db.sock`,
      southbound: `unix:${status.folder}/${host}/ovnsb_db.sock`,
      openvswitch: `unix:${status.folder}/${host}/db.sock`,
    });
    expect(JSON.parse(cli(["status", "--zones"]).stdout)).toEqual({ node1: sockets("node1"), node2: sockets("node2") });
  });

  test("an error is one line, with a remedy", () => {
    expect(cli(["exec", "vm9", "true"])).toEqual({
      code: 1,
      stdout: "",
      stderr: "error: unknown namespace vm9; the sandbox has ext, node1, node2, vm1, vm2\n",
    });
    expect(cli(["status", "--name", "other"])).toEqual({
      code: 1,
      stdout: "",
      stderr: "error: sandbox other is not up\n  npm run -s sandbox -- up --name other\n",
    });
    expect(cli(["up", "--hosts", "3"])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("sandbox default is up with 2 hosts, with OVN, without FRR") as string,
    });
    expect(cli(["fly"]).code).toBe(2);
  });
});

test.each([20, 120, 200, 300])("an up that is killed after %d ms leaves nothing that down does not end", async (after) => {
  const child = startCli(["up", "--name", "killed"]);
  const closed = new Promise((resolve) => child.once("close", resolve));
  await new Promise((resolve) => setTimeout(resolve, after));
  child.kill("SIGKILL");
  await closed;
  expect(cli(["down", "--name", "killed"])).toMatchObject({ code: 0 });
  expect(processesNaming(join(folder, "killed"))).toEqual([]);
  expect(existsSync(folder) ? readdirSync(folder) : []).toEqual([]);
});

test("an up after a killed one succeeds", async () => {
  const child = startCli(["up", "--name", "again", "--hosts", "1"]);
  const closed = new Promise((resolve) => child.once("close", resolve));
  await new Promise((resolve) => setTimeout(resolve, 150));
  child.kill("SIGKILL");
  await closed;
  expect(cli(["up", "--name", "again", "--hosts", "1"])).toMatchObject({ code: 0 });
  expect(cli(["exec", "--name", "again", "node1", "ovn-sbctl", "--timeout=10", "show"]).code).toBe(0);
  expect(cli(["down", "--name", "again"]).code).toBe(0);
  expect(processesNaming(join(folder, "again"))).toEqual([]);
});

test("two simultaneous calls of up create one sandbox", async () => {
  const codes = await Promise.all([1, 2].map(() => new Promise((resolve) => startCli(["up", "--name", "twice", "--hosts", "1"]).once("close", resolve))));
  expect(codes).toEqual([0, 0]);
  expect(processesNaming(join(folder, "twice/init")).filter((command) => command.startsWith("unshare"))).toHaveLength(1);
  expect(cli(["down", "--name", "twice"]).code).toBe(0);
});
