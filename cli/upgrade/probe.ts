import { spawn } from "node:child_process";
import { killGroup } from "@pulumi-ovn/ovsdb-client";
import type { Finding } from "./gates/finding";

/** As much of its output is shown. */
const MOST_SHOWN = 600;

/** Exit codes of a shell for a missing or unusable command. (POSIX, Exit Status for Commands) */
const NO_COMMAND: Readonly<Record<number, string>> = { 126: "can't be run", 127: "does not exist" };

export interface ProbeFinding extends Finding {
  /** Whether the check was still running when its time was over. */
  readonly isLate: boolean;
}

/**
 * Runs the user's own check in a shell. It must exit with 0 in time; otherwise it is ended with all its processes.
 * @param environment position of the rollout: OVN_UPGRADE_NETWORK, OVN_UPGRADE_STAGE, OVN_UPGRADE_NODES
 * @param signal ends the check and its processes
 */
export async function probeFindings(
  command: string,
  seconds: number,
  environment: Readonly<Record<string, string>>,
  signal?: AbortSignal,
): Promise<ProbeFinding[]> {
  const finding = (problem: string, remedy: string, isLate = false): ProbeFinding[] => [{ gate: "probe", where: command, problem, remedy, isLate }];
  const { code, output, late } = await runShell(command, seconds * 1000, environment, signal);
  if (late) return finding(`it did not end within ${seconds} s`, "see what it waits for, or give it more time by --probe-timeout", true);
  if (code === 0) return [];
  const missing = NO_COMMAND[code ?? -1];
  if (missing) return finding(`the command ${missing}${shown(output)}`, "pass --probe a command that the shell finds from here");
  return finding(`it ended with ${code === null ? "a signal" : `exit code ${code}`}${shown(output)}`, "find out what it misses in the network, then run again");
}

function shown(output: string): string {
  const text = output.trim();
  return text === "" ? "" : `: ${text.length > MOST_SHOWN ? `...${text.slice(-MOST_SHOWN)}` : text}`;
}

function runShell(
  command: string,
  timeout: number,
  environment: Readonly<Record<string, string>>,
  signal: AbortSignal | undefined,
): Promise<{ code: number | null; output: string; late: boolean }> {
  return new Promise((resolve, reject) => {
    // The child has its own process group, so that the processes that it starts end with it.
    const child = spawn("/bin/sh", ["-c", command], { env: { ...process.env, ...environment }, stdio: ["ignore", "pipe", "pipe"], detached: true });
    let output = "";
    let late = false;
    const read = (chunk: Buffer) => (output = (output + chunk.toString()).slice(-4 * MOST_SHOWN));
    child.stdout.on("data", read);
    child.stderr.on("data", read);
    const kill = () => {
      killGroup(child, "SIGKILL");
      // A process that has left the group may keep the pipes open.
      child.stdout.destroy();
      child.stderr.destroy();
    };
    const timer = setTimeout(() => {
      late = child.exitCode === null && child.signalCode === null;
      kill();
    }, timeout);
    signal?.addEventListener("abort", kill, { once: true });
    child.once("error", reject);
    // Background processes of the child would keep the pipes open.
    child.once("exit", () => killGroup(child, "SIGKILL"));
    child.once("close", (code) => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", kill);
      resolve({ code, output, late });
    });
  });
}
