import { endExample, inExample, runExample } from "../examples/run";
import { scenarioNames, scenarioOf } from "../examples/scenario";
import { SandboxError } from "../kit/errors";
import { pulumiOvn } from "../tools/pulumi-cli";

const usage = async (): Promise<string> => `usage: npm run -s example -- NAME [--keep]
  NAME               runs the example on a sandbox of its own: up, what packets show of it, destroy, and nothing left
  NAME --keep        leaves sandbox and stack up in the end; then:
  NAME pulumi ...    runs the Pulumi CLI on its stack
  NAME pulumi-ovn ...
                     runs pulumi-ovn on its stack
  NAME down          ends it
examples: ${(await scenarioNames()).join(", ")}
`;

const execute = async ([name, ...rest]: readonly string[]): Promise<number> => {
  if (name === undefined || name === "--help" || name === "-h") {
    process.stdout.write(await usage());
    return 0;
  }
  await scenarioOf(name);
  const [command, ...args] = rest;
  if (command === "pulumi") return inExample(name, command, args);
  if (command === "pulumi-ovn") return inExample(name, pulumiOvn[0], [pulumiOvn[1], ...args]);
  if (args.length > 0 || ![undefined, "--keep", "down"].includes(command))
    throw new SandboxError("usage", `not understood: ${rest.join(" ")}`, (await usage()).trimEnd());
  if (command !== "down") return runExample(name, command === "--keep");
  await endExample(name);
  return 0;
};

execute(process.argv.slice(2)).then(
  (code) => (process.exitCode = code),
  (error: unknown) => {
    if (!(error instanceof SandboxError)) throw error;
    process.stderr.write(`error: ${error.message}\n`);
    process.exitCode = error.code === "usage" ? 2 : 1;
  },
);
