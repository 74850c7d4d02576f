export { type Binaries, type SchemaName, binaries } from "./binaries";
export { type Central, type CentralDaemon, type CentralOptions, startCentral } from "./central";
export { SandboxError } from "./errors";
export type { HostDaemon } from "./host-script";
export type { UpOptions, Workload } from "./layout";
export { down } from "./down";
export { type ExecOptions, type Running, Sandbox } from "./sandbox";
export { up } from "./up";
export { type HostStatus, type PlaceStatus, type Status, statusOf, type WorkloadStatus } from "./status";
