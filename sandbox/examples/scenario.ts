import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { SandboxError } from "../kit/errors";
import type { Report } from "../kit/progress";
import { projectRoot } from "../kit/project-root";
import type { Sandbox } from "../lifecycle/sandbox";
import type { UpOptions } from "../plan/layout";
import type { Check } from "./checks";
import { type Example, PROOF } from "./project";

/** An example that runs: the sandbox, and a copy of the project, whose stack is up. */
export interface Stage {
  readonly sandbox: Sandbox;
  readonly example: Example;
}

/** Needs of an example, and its proof with packets. `examples/NAME/proof.mts` exports one by default. */
export interface Scenario {
  /** The sandbox that it runs on; by default three hosts with a workload each. */
  readonly sandbox?: Omit<UpOptions, "name">;
  /** Prepares hosts and tools before the stack is deployed. */
  readonly prepare?: (sandbox: Sandbox, report: Report) => Promise<unknown>;
  /** Configuration of the stack, by key. Default: none. */
  readonly configuration?: (sandbox: Sandbox) => Readonly<Record<string, string>>;
  /** Proves the stack. It may change the stack; `destroy` follows. */
  readonly prove: (stage: Stage) => Promise<readonly Check[]>;
}

const folder = join(projectRoot, "examples");

/** Names of the examples that can be run. */
export async function scenarioNames(): Promise<string[]> {
  const files = await readdir(folder, { recursive: true });
  return files
    .filter((file) => file.endsWith(`/${PROOF}`))
    .map((file) => file.slice(0, -PROOF.length - 1))
    .sort();
}

export async function scenarioOf(name: string): Promise<Scenario> {
  const known = await scenarioNames();
  if (!known.includes(name)) throw new SandboxError("usage", `there is no example ${JSON.stringify(name)}`, `Examples: ${known.join(", ")}`);
  // Node runs the file as it is.
  return ((await import(join(folder, name, PROOF))) as { default: Scenario }).default;
}
