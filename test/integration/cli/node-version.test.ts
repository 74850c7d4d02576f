import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { projectRoot } from "@pulumi-ovn/sandbox/testing";
import { finished } from "../../support/workspace";

const LINE = `OVN_NODE: pulumi-ovn needs Node.js 22.12 or newer, and this is 20.20.2 (${process.execPath})`;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "ovn-node-"));
  // Reports an older release and lacks one of its functions.
  await writeFile(
    join(folder, "older.js"),
    'Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.20.2" } }); delete require("node:module").flushCompileCache;',
  );
});
afterAll(async () => rm(folder, { recursive: true, force: true }));

/** Runs Node.js as if it were an older release. */
const older = (...args: string[]) =>
  finished(spawn(process.execPath, ["--require", join(folder, "older.js"), ...args], { cwd: projectRoot, stdio: ["ignore", "pipe", "pipe"] }));

it("ends the command with one line", async () => {
  for (const args of [["--version"], ["import", "--out", join(folder, "out")]]) {
    expect(await older(join(projectRoot, "sdk/bin/pulumi-ovn.js"), ...args)).toEqual({ code: 1, stdout: "", stderr: `pulumi-ovn: ${LINE}\n` });
  }
});

it.each(["pulumi-ovn", "pulumi-ovn/runtime"])("ends the one who loads %s, with an error of which Pulumi shows only the message", async (name) => {
  const program = `try { require(${JSON.stringify(name)}) } catch ({ message, code, stack }) { console.log(JSON.stringify({ message, code, stack })) }`;
  const { stdout } = await older("-e", program);
  expect(JSON.parse(stdout)).toEqual({ message: LINE, code: "OVN_NODE", stack: "" });
});

it("loads no part of Pulumi before it knows the release", async () => {
  const { stdout } = await older(
    "-e",
    'try { require("pulumi-ovn") } catch {} console.log(Object.keys(require.cache).filter((path) => /@pulumi.pulumi|provider.dist/.test(path)).length)',
  );
  expect(stdout).toBe("0\n");
});
