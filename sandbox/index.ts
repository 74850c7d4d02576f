export { type Binaries, type SchemaName, binaries } from "./binaries";
export { type Central, type CentralDaemon, type CentralOptions, startCentral } from "./central";
export { SandboxError } from "./errors";
