/** Every public name of the package. */
/** Tag, local to bgpd, of the routes that the agent has FRR announce. */
export { TAG as ROUTE_TAG } from "./host/frr/config";
export {
  type Bgp,
  type Desired,
  desired,
  type DeviceAddress,
  type HostSettings,
  type HostState,
  type LoadBalancer,
  type LocalBridge,
  type Neighbor,
  NOTHING,
  type PortBinding,
  type Problem,
  type Proxy,
  type Route,
  type Rule,
  type Snapshot,
  type TaggedPort,
} from "@pulumi-ovn/provider/agent";
export { type SnapshotSource, type SourceOptions, snapshotSource } from "./southbound/source";
export type { AgentHost, Converged, HostOptions } from "./host/agent-host";
export { Host } from "./host/host";
export { isVrfName, VRF_NAME } from "./host/vrf-name";
export { gauge, type Metric, prometheusText } from "./daemon/prometheus";
export { type DaemonOptions, runDaemon } from "./daemon/daemon";
export type { Listen } from "./daemon/endpoints";
export { AgentError } from "./daemon/errors";
export type { Health } from "./daemon/health";
export { listenAddress } from "./daemon/listen-address";
export { convergeOnce, type DryRun, dryRun, type OnceOptions, withdraw } from "./daemon/once";
export { logTo, printProblems } from "./daemon/print";
export { restoreOnce, runVpcAgent, VPC_LOCK, type VpcAgentOptions } from "./vpc/daemon";
export type { VpcHealth } from "./vpc/report";
export { agentCommand } from "./command/command";
export { AGENT_ADDRESS, AGENT_OPTIONS, type AgentValues, VPC_AGENT_ADDRESS, VPC_AGENT_FOLDER } from "./command/options";
export { runProgram, runVpcProgram, VPC_AGENT_OPTIONS, vpcAgentCommand } from "./command/program";
