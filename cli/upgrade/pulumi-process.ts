import { type ChildProcess, spawn } from "node:child_process";
import { endsWithProcess, killGroup } from "@pulumi-ovn/ovsdb-client";
import type { PulumiCommand } from "@pulumi/pulumi/automation";

type OnText = ((text: string) => void) | undefined;
type Environment = Readonly<Record<string, string | undefined>>;
/** As the Automation API calls it. */
type Run = (
  args: readonly string[],
  cwd: string,
  environment: Environment,
  onOutput?: OnText,
  onError?: OnText,
  signal?: AbortSignal,
) => ReturnType<typeof runApart>;

/**
 * The CLI in its own process group. A terminal sends Ctrl-C to all processes of its group: Pulumi would stop the update in the middle
 * of a stage, or end before it starts. In its own group, Pulumi receives signals only from this program.
 * @param kill kills the running CLI immediately when it is aborted
 */
export function inOwnGroup(command: PulumiCommand, kill: AbortSignal): PulumiCommand & { readonly run: Run } {
  const value: Run = (args, cwd, environment, onOutput, onError, signal) =>
    runApart(command.command, [...args, "--non-interactive"], {
      cwd,
      environment: { ...environment, PULUMI_AUTOMATION_API: "true" },
      onOutput,
      onError,
      signal,
      kill,
    });
  return Object.create(command, { run: { value } }) as PulumiCommand & { readonly run: Run };
}

interface Surroundings {
  readonly cwd: string;
  readonly environment: Environment;
  readonly onOutput?: OnText;
  readonly onError?: OnText;
  /** Interrupts the command when it is aborted. */
  readonly signal?: AbortSignal | undefined;
  /** Ends the command, with all of its group, when it is aborted. */
  readonly kill?: AbortSignal | undefined;
  /** The command changes nothing: with this process it may end in the middle. */
  readonly endsWithUs?: boolean;
}

/** Runs a command to its end. Rejects with its standard error if it fails. */
export function runApart(
  file: string,
  args: readonly string[],
  { cwd, environment, onOutput, onError, signal, kill, endsWithUs = false }: Surroundings,
): Promise<{ stdout: string; stderr: string; code: number }> {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, {
      cwd,
      env: { ...process.env, ...environment },
      stdio: ["ignore", "pipe", "pipe"],
      detached: process.platform !== "win32",
    });
    if (endsWithUs) endsWithProcess(child);
    const output = { stdout: "", stderr: "" };
    child.stdout.setEncoding("utf8").on("data", (text: string) => ((output.stdout += text), onOutput?.(text)));
    child.stderr.setEncoding("utf8").on("data", (text: string) => ((output.stderr += text), onError?.(text)));
    const forget = [onAbort(signal, () => void child.kill("SIGINT")), onAbort(kill, () => endGroup(child))];
    child.once("error", reject);
    child.once("close", (code, by) => {
      for (const each of forget) each();
      if (code === 0) resolve({ ...output, code });
      else reject(new Error(output.stderr.trim() || `${file} ended with ${by ?? `exit code ${code}`}`));
    });
  });
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
