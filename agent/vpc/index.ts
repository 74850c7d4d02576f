/** The agent of a VPC's host. */
export { restoreOnce, runVpcAgent, VPC_LOCK, type VpcAgentOptions } from "./daemon";
export type { VpcHealth } from "./report";
