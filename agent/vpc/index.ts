/** The agent of a VPC's host, for `pulumi-ovn agent --vpc`. */
export { restoreOnce, runVpcAgent, VPC_LOCK, type VpcAgentOptions } from "./daemon";
export { VPC_AGENT_ADDRESS, VPC_AGENT_FOLDER, VPC_AGENT_OPTIONS, vpcAgentCommand } from "./command";
export type { VpcHealth } from "./report";
