import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { commandLine } from "../../support/command-line";

const { PATH } = process.env;
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "pulumi-"));
  writeFileSync(join(folder, "Pulumi.yaml"), "name: trial\nruntime: nodejs\n");
  process.env.PATH = folder;
});
afterEach(() => {
  process.env.PATH = PATH;
  rmSync(folder, { recursive: true });
});

function pulumi(mode: number): void {
  const path = join(folder, "pulumi");
  writeFileSync(path, "#!/bin/sh\necho 'this is another program' >&2\nexit 3\n");
  chmodSync(path, mode);
}

const COMMANDS = ["apply", "apply --revert-in 60", "diff", "drift", "simulate", "status", "upgrade"].map((text) => text.split(" "));
const errorOf = async ([name = "", ...args]: readonly string[]) => {
  const { code, stdout, stderr } = await commandLine(name, ...args, "--stack", "dev", "--cwd", folder);
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  return stderr.replace(/^pulumi-ovn \w+: /, "");
};

it.each(COMMANDS)("%s needs Pulumi on PATH", async (...args) => {
  expect(await errorOf(args)).toBe("OVN_PULUMI: can't run pulumi: it is not on PATH\n");
});

it.each(COMMANDS)("%s needs a Pulumi that is executable", async (...args) => {
  pulumi(0o644);
  expect(await errorOf(args)).toBe("OVN_PULUMI: can't run pulumi: its file on PATH is not executable\n");
});

it.each(["apply", "upgrade"])("%s prints what another program of this name says", async (name) => {
  pulumi(0o755);
  expect(await errorOf([name])).toBe("OVN_UPGRADE_STACK: this is another program\n");
});
