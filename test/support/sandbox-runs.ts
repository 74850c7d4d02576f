import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const root = join(__dirname, "../..");
const program = join(root, "sandbox/dist/commands/sandbox.js");

/** A folder for the sandboxes of one test file, so that a user's own are not touched. */
export const runFolder = (): string => mkdtempSync(join(tmpdir(), "sbx-"));

/** The command line, run to its end. The environment is given, as jest's differs from the process's own. */
export const cli = (args: readonly string[], input = ""): { code: number | null; stdout: string; stderr: string } => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], {
    cwd: root,
    env: process.env,
    encoding: "utf8",
    input,
    timeout: 100_000,
  });
  return { code: status, stdout, stderr };
};

/** The command line, running. */
export const startCli = (args: readonly string[]): ChildProcess =>
  spawn(process.execPath, [program, ...args], { cwd: root, env: process.env, stdio: ["ignore", "pipe", "ignore"] });

/** The living processes whose command line names a folder, apart from this one and its children. */
export const processesNaming = (folder: string): string[] =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const command = readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ").trim();
        return command.includes(folder) ? [command] : [];
      } catch {
        return []; // it ended
      }
    });

/** The living processes of a process namespace (`pid:[4026531836]`). */
export const processesIn = (namespace: string): string[] =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return readlinkSync(`/proc/${pid}/ns/pid`) === namespace;
      } catch {
        return false;
      }
    });
