export { type Binaries, type SchemaName, binaries } from "./binaries";
export { SandboxError } from "./errors";
