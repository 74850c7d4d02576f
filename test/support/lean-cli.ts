import { join } from "node:path";
import type { Example } from "../../sandbox/examples/project";

/**
 * The environment with which Pulumi's CLI, and what it starts, take less of the processor: its `node` is bin/node; and for each update the
 * CLI has git look whether any file of this repository has changed.
 */
export const leanCli = (environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv => ({
  ...environment,
  PATH: [join(__dirname, "bin"), environment["PATH"]].join(":"),
  PULUMI_OVN_TEST_NODE: process.execPath,
  GIT_DIR: "/dev/null",
});

/** The copy of an example, whose commands run so, too. */
export async function leanExample(copying: Promise<Example>): Promise<Example> {
  const example = await copying;
  Object.assign(example.environment, leanCli(example.environment));
  return example;
}
