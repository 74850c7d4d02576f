import { join } from "node:path";
import { runForStack } from "./program";
import { projectRoot } from "./pulumi-cli";

runForStack(process.execPath, [join(projectRoot, "sdk/bin/pulumi-ovn.js"), ...process.argv.slice(2)]);
