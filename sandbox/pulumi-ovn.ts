import { runForStack } from "./program";
import { pulumiOvn } from "./pulumi-cli";

const [node, program] = pulumiOvn;
runForStack(node, [program, ...process.argv.slice(2)]);
