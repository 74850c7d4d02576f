import { failed, outcomeText } from "../examples/checks";
import { prove } from "../examples/proof";
import { SandboxError } from "../kit/errors";
import { step } from "../kit/progress";
import { up } from "../lifecycle/up";
import { binaries } from "../tools/binaries";
import { prepareStack, pulumi, stackEnvironment } from "./stack";

const closing = `
look around
  npm run -s sandbox -- status                       every namespace with its addresses
  npm run -s sandbox -- exec node1 ovn-nbctl show    what the stack wrote into node1's zone
  npm run -s sandbox -- exec vm1 ping -c3 203.203.0.18
  npm run pulumi -- preview --diff                   after a change of the stack in examples/quickstart
  npm run pulumi -- up
stop
  npm run -s sandbox -- down
`;

const main = async (): Promise<number> => {
  const started = performance.now();
  const env = await step("Pulumi CLI", stackEnvironment);
  await step("OVN, Open vSwitch and FRR", async (report) => {
    report(`from ${(await binaries(report)).origin === "machine" ? "this machine" : "the private tree of Debian packages"}`);
  });
  const sandbox = await step("Sandbox of three hosts", (report) => up({}, report));
  await step("Stack configuration and state", () => prepareStack(sandbox, env));
  const code = await step("pulumi up", () => pulumi(["up", "--yes"], env));
  if (code !== 0)
    throw new SandboxError("pulumi", `pulumi up ended with status ${code}`, "Its messages are above; the sandbox is still up: npm run -s sandbox -- status");
  const checks = await step("Packets through the network", () => prove(sandbox));
  process.stdout.write(`\n${outcomeText(checks, performance.now() - started)}${closing}`);
  return failed(checks).length === 0 ? 0 : 1;
};

main().then(
  (code) => (process.exitCode = code),
  (error: unknown) => {
    if (!(error instanceof SandboxError)) throw error;
    process.stderr.write(`error: ${error.message}\n`);
    process.exitCode = 1;
  },
);
