/** The agents' command, for `pulumi-ovn agent` and the programs of this package. */
export { agentCommand } from "./command";
export { AGENT_ADDRESS, AGENT_OPTIONS, type AgentValues, VPC_AGENT_ADDRESS, VPC_AGENT_FOLDER } from "./options";
export { runProgram, runVpcProgram, VPC_AGENT_OPTIONS, vpcAgentCommand } from "./program";
