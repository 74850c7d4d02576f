import { type ChildProcess, spawn, type StdioOptions } from "node:child_process";
import { closeSync, fstatSync, mkdtempSync, openSync, readSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { endsWithProcess, killGroup } from "@pulumi-ovn/ovsdb-client";
import type { PulumiCommand } from "@pulumi/pulumi/automation";
import { CommandError } from "../command";

type Environment = Readonly<Record<string, string | undefined>>;
/** As the Automation API calls it. */
type Run = (
  args: readonly string[],
  cwd: string,
  environment: Environment,
  onOutput?: unknown,
  onError?: unknown,
  signal?: AbortSignal,
) => ReturnType<typeof runApart>;

/**
 * The CLI in its own process group. A terminal sends Ctrl-C to all processes of its group: Pulumi would stop the update in the middle
 * of a stage, or end before it starts. In its own group, Pulumi receives signals only from this program.
 * @param kill kills the running CLI immediately when it is aborted
 */
export function inOwnGroup(command: PulumiCommand, kill: AbortSignal): PulumiCommand & { readonly run: Run } {
  const value: Run = (args, cwd, environment, _onOutput, _onError, signal) =>
    runApart(command.command, [...args, "--non-interactive"], {
      cwd,
      environment: { ...environment, PULUMI_AUTOMATION_API: "true" },
      signal,
      kill,
      outlivesUs: args[0] === "up",
    });
  return Object.create(command, { run: { value } }) as PulumiCommand & { readonly run: Run };
}

interface Surroundings {
  readonly cwd: string;
  readonly environment: Environment;
  /** Interrupts the command when it is aborted. */
  readonly signal?: AbortSignal | undefined;
  /** Ends the command, with all of its group, when it is aborted. */
  readonly kill?: AbortSignal | undefined;
  /** The command changes nothing: with this process it may end in the middle. */
  readonly endsWithUs?: boolean;
  /**
   * The command continues when this process is killed. Its output is in files, so it must not contain secrets: without the reader of a pipe,
   * SIGPIPE would kill Pulumi in the middle of an update, and leave its lock and its plugins.
   */
  readonly outlivesUs?: boolean;
}

/** Error for a program that can't be started. @param error of `spawn` */
export function unstartable(file: string, { code, message }: NodeJS.ErrnoException): CommandError {
  const reasons: Readonly<Record<string, string>> = { ENOENT: "it is not on PATH", EACCES: "its file on PATH is not executable" };
  return new CommandError("OVN_PULUMI", `can't run ${file}: ${reasons[code ?? ""] ?? message}`);
}

/** Runs a command to its end. Rejects with its standard error if it fails, with that of `unstartable` if it can't be started. */
export function runApart(
  file: string,
  args: readonly string[],
  { cwd, environment, signal, kill, endsWithUs = false, outlivesUs = false }: Surroundings,
): Promise<{ stdout: string; stderr: string; code: number }> {
  return new Promise((resolve, reject) => {
    const files = outlivesUs ? [new UnnamedFile(), new UnnamedFile()] : undefined;
    const child: ChildProcess = spawn(file, args, {
      cwd,
      env: { ...process.env, ...environment },
      stdio: ["ignore", ...(files?.map(({ descriptor }) => descriptor) ?? ["pipe", "pipe"])] as StdioOptions,
      detached: process.platform !== "win32",
    });
    const outputs = [child.stdout, child.stderr].map((stream) => piped(stream));
    if (endsWithUs) endsWithProcess(child);
    const forget = [onAbort(signal, () => void child.kill("SIGINT")), onAbort(kill, () => endGroup(child))];
    child.once("error", (error) => reject(unstartable(file, error)));
    child.once("close", (code, by) => {
      for (const each of forget) each();
      const [stdout = "", stderr = ""] = files?.map((each) => each.close()) ?? outputs.map((read) => read());
      if (code === 0) resolve({ stdout, stderr, code });
      else reject(new Error(stderr.trim() || `${file} ended with ${by ?? `exit code ${code}`}`));
    });
  });
}

/** Returns what a stream has read up to now. */
function piped(stream: Readable | null): () => string {
  let text = "";
  stream?.setEncoding("utf8").on("data", (part: string) => (text += part));
  return () => text;
}

/** A file in no folder, which is deleted with the end of its last user. */
class UnnamedFile {
  readonly descriptor: number;

  constructor() {
    const folder = mkdtempSync(join(tmpdir(), "pulumi-ovn-"));
    this.descriptor = openSync(join(folder, "output"), "wx+", 0o600);
    rmSync(folder, { recursive: true });
  }

  /** Returns the content. */
  close(): string {
    const content = Buffer.alloc(fstatSync(this.descriptor).size);
    // From the start: the position is that of the program that wrote.
    for (let at = 0; at < content.length; ) at += readSync(this.descriptor, content, at, content.length - at, at);
    closeSync(this.descriptor);
    return content.toString();
  }
}

/** Does something when the signal is aborted, or is already; returns what takes that back. */
function onAbort(signal: AbortSignal | undefined, act: () => void): () => void {
  if (signal?.aborted) act();
  signal?.addEventListener("abort", act);
  return () => signal?.removeEventListener("abort", act);
}

function endGroup(child: ChildProcess): void {
  killGroup(child, "SIGKILL");
  // A process that has left the group may keep the pipes open. The caller does not wait for it.
  child.stdout?.destroy();
  child.stderr?.destroy();
}
