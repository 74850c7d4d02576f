import { rm } from "node:fs/promises";
import { join } from "node:path";
import { SandboxError } from "../kit/errors";
import { runInTerminal } from "../kit/process";
import { step } from "../kit/progress";
import { projectRoot } from "../kit/project-root";
import { down } from "../lifecycle/down";
import { Sandbox } from "../lifecycle/sandbox";
import { up } from "../lifecycle/up";
import { binaries } from "../tools/binaries";
import { type Check, failed, outcomeText } from "./checks";
import { contents, leftovers } from "./leftovers";
import { Example } from "./project";
import { scenarioOf, type Stage } from "./scenario";

const write = (text: string): void => void process.stdout.write(text);

/**
 * Runs an example from nothing to what packets show of it, and to nothing left.
 * @param keep leaves sandbox and stack up in the end
 * @returns the exit status
 */
export async function runExample(name: string, keep: boolean): Promise<number> {
  const started = performance.now();
  const scenario = await scenarioOf(name);
  await step("OVN, Open vSwitch and FRR", (report) => binaries(report));
  const sandbox = await step("Sandbox", (report) => up({ ...scenario.sandbox, name: sandboxName(name) }, report));
  let example: Example | undefined;
  let kept = false;
  try {
    await step("Preparation", async (report) => scenario.prepare?.(sandbox, report));
    const before = await contents(sandbox);
    await rm(folderOf(name), { recursive: true, force: true });
    example = await step("Project and Pulumi CLI", (report) =>
      Example.of(name, sandbox.targets, { folder: folderOf(name), configuration: scenario.configuration?.(sandbox) ?? {}, report }),
    );
    const stage: Stage = { sandbox, example };
    await step("pulumi up", () => pulumi(stage, "up"));
    const checks = [...(await step("What packets show", () => scenario.prove(stage)))];
    if (keep) {
      kept = true;
      write(`\n${outcomeText(checks, performance.now() - started)}${keptText(name, sandbox, example.folder)}`);
    } else {
      await step("pulumi destroy", () => pulumi(stage, "destroy"));
      checks.push(await nothingLeft(stage, before));
      write(`\n${outcomeText(checks, performance.now() - started)}`);
    }
    return failed(checks).length === 0 ? 0 : 1;
  } finally {
    if (!kept) {
      await sandbox.down();
      await example?.[Symbol.asyncDispose]();
    }
  }
}

/** A program on the stack of an example that was kept; returns its exit status. */
export async function inExample(name: string, program: string, args: readonly string[]): Promise<number> {
  await Sandbox.open(sandboxName(name)); // or the error of one that is not up
  const { environment, folder } = await Example.open(folderOf(name));
  return runInTerminal(program, args, environment, folder);
}

/** Ends an example that was kept, without a `pulumi destroy`: its rows are deleted with the sandbox. */
export async function endExample(name: string): Promise<void> {
  await down(sandboxName(name));
  await rm(folderOf(name), { recursive: true, force: true });
}

const folderOf = (name: string): string => join(projectRoot, ".sandbox", `example-${name}`);

/** A sandbox's name has 20 characters at most. */
const sandboxName = (name: string): string => `ex-${name}`.slice(0, 20);

async function pulumi({ example }: Stage, command: "up" | "destroy"): Promise<void> {
  const code = await runInTerminal("pulumi", [command, "--yes", "--skip-preview", "--color=never", "--suppress-progress"], example.environment, example.folder);
  if (code !== 0) throw new SandboxError("pulumi", `pulumi ${command} ended with status ${code}`);
}

async function nothingLeft({ sandbox }: Stage, before: readonly string[]): Promise<Check> {
  const what = "after destroy";
  const differs = await leftovers(sandbox, before);
  if (differs.length === 0) return { what, detail: "every database is as it was before" };
  return { what, detail: "databases differ from before", failure: differs.join("; ") };
}

/** Commands for an example that was kept. */
export function keptText(name: string, { name: sandboxName, zones, hosts }: Pick<Sandbox, "name" | "zones" | "hosts">, folder: string): string {
  return `
the project is a copy; change it there, and its state goes with it: ${folder}
  npm run -s example -- ${name} pulumi preview --diff
  npm run -s example -- ${name} pulumi up
  npm run -s sandbox -- exec --name ${sandboxName} ${hosts[0]!.name} ${Object.keys(zones).length > 0 ? "ovn-nbctl" : "ovs-vsctl"} show
stop
  npm run -s example -- ${name} down
`;
}
