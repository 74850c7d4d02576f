import { pulumiOvn } from "../tools/pulumi-cli";
import { runForStack } from "./program";

const [node, program] = pulumiOvn;
runForStack(node, [program, ...process.argv.slice(2)]);
