import { SandboxError } from "../kit/errors";
import { runInTerminal } from "../kit/process";
import { projectRoot } from "../kit/project-root";
import { stackEnvironment } from "./stack";

/** Runs a program with the sandbox's Pulumi CLI, state and stack; this process ends as it does. */
export const runForStack = (file: string, args: readonly string[]): void => {
  const run = async (): Promise<number> => runInTerminal(file, args, await stackEnvironment((text) => process.stderr.write(`${text}\n`)), projectRoot);
  run().then(
    (code) => (process.exitCode = code),
    (error: unknown) => {
      if (!(error instanceof SandboxError)) throw error;
      process.stderr.write(`error: ${error.message}\n`);
      process.exitCode = 1;
    },
  );
};
