import * as pulumi from "@pulumi/pulumi";
import { PerRun } from "./per-run";
import { ProgramError } from "./program-error";

/** Promise that the resources of a run are currently waiting for. */
const turns = new PerRun<{ turn?: Promise<void> | undefined }>(() => ({}));

/**
 * Settles when the program has reached its end or its first `await`. Rejects if the program has failed before.
 * Pulumi registers the resources that a program has made, even if the program fails afterwards. So an update would write the rows of
 * all resources before a refused component. A preview continues, and reports the errors of these resources, too.
 */
export function programGoesOn(): Promise<void> {
  const run = turns.current;
  run.turn ??= turn().finally(() => (run.turn = undefined));
  return run.turn;
}

async function turn(): Promise<void> {
  // Tests with mocks run no stack.
  const outputs: unknown = pulumi.runtime.getStackResource()?.outputs;
  if (pulumi.runtime.isDryRun() || !pulumi.Output.isInstance(outputs)) return;
  const ended = pulumi.isSecret(outputs).catch((error: unknown) => {
    // Pulumi changes the message of any other error, and may not have shown it yet.
    throw error instanceof ProgramError ? error : new ProgramError("the program has failed, so no resource of pulumi-ovn that it has just made is written");
  });
  await Promise.race([ended, new Promise(setImmediate)]);
}
