import { SandboxError } from "./errors";
import { pulumi, stackEnvironment } from "./stack";

const main = async (): Promise<number> => pulumi(process.argv.slice(2), await stackEnvironment((text) => process.stderr.write(`${text}\n`)));

main().then((code) => (process.exitCode = code), (error: unknown) => {
  if (!(error instanceof SandboxError)) throw error;
  process.stderr.write(`error: ${error.message}\n`);
  process.exitCode = 1;
});
