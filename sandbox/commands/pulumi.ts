import { runForStack } from "./program";

runForStack("pulumi", process.argv.slice(2));
