import * as pulumi from "@pulumi/pulumi";
import { PerRun } from "./per-run";
import { ProgramError } from "./program-error";

/** By run of a program, what its resources wait for just now. */
const held = new PerRun<{ turn?: Promise<void> | undefined }>(() => ({}));

/**
 * Settles once the program has come to its end, or to its first `await`; fails when it has ended with an error before.
 * Pulumi registers what a program has made although it fails afterwards, so an update would write the rows of all that comes before
 * a component that is refused. A preview goes on, and tells what is wrong with those, too.
 */
export function programGoesOn(): Promise<void> {
  const run = held.current;
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
