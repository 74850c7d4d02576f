/**
 * Internals that agents need in addition to the public names: for `@pulumi-ovn/agent`, with no promise to others. Nothing of
 * Pulumi or Kubernetes is loaded by it.
 */
export { killGroup } from "@pulumi-ovn/ovsdb-client";
export * from "./kit/address";
export { type Option, type Options, parseOptions } from "./kit/command-line/options";
export { reportedError, withCode } from "./kit/command-line/reported-error";
export { codeWithOutput } from "./kit/command-line/streams";
export { optionsUsage } from "./kit/command-line/usage";
export { visibleJson, visibleLines } from "./kit/text/visible";
export { readable } from "./kit/address/readable";
export { AGENT_KEY, type AgentExposure, agentExposure } from "./kinds/exposure/agent/exposure";
export { type Concern, concernOf } from "./kinds/exposure/chassis/concern";
export { type Desired, desired, type HostSettings } from "./kinds/exposure/chassis/desired";
export { exposuresHere, exposuresNaming, unreadable } from "./kinds/exposure/chassis/exposures";
export {
  type Bgp,
  type DeviceAddress,
  type HostState,
  type Neighbor,
  NOTHING,
  type Proxy,
  type Route,
  type Rule,
  type TaggedPort,
} from "./kinds/exposure/chassis/host/host-state";
export { hostsIn } from "./kinds/exposure/chassis/hosts-in";
export type { Problem } from "./kinds/exposure/chassis/problem";
export { columnsOf } from "./kinds/exposure/chassis/snapshot/columns";
export { NAT_COLUMNS, NatRows, NETWORK_PORTS, SouthboundReader, type DatabaseRow, type DatabaseRows } from "./kinds/exposure/chassis/snapshot/database-rows";
export { chassisMacsOf, exposuresOf, mappingsOf } from "./kinds/exposure/chassis/snapshot/rows";
export {
  type FloatingIP,
  type LoadBalancer,
  type LocalBridge,
  NO_NORTHBOUND,
  type NorthboundFacts,
  type PortBinding,
  type Snapshot,
} from "./kinds/exposure/chassis/snapshot/snapshot";
export { ChassisModel } from "./kinds/exposure/chassis/chassis-model";
export { isAnnouncedFamily, names } from "./kinds/exposure/port";
export { scopesIn } from "./kinds/exposure/router-port";
export { withoutPort } from "./kinds/exposure/vip";
export { flowCookie } from "./backends/flows/set/cookie";
export { FlowError } from "./backends/flows/errors";
export type { BridgeFlowList } from "./backends/flows/set";
export { flowCount } from "./backends/flows/switch/owned";
export { bundleOf, type BridgeDifference, type WantedFlow } from "./backends/flows/plan";
export { HostKeeper, type Restored } from "./backends/host/agent/keeper";
export { isKeptName, KEPT_FOLDER, keptIn, type KeptUpdate } from "./backends/host/agent/kept";
export { runGroup, type Ended } from "./backends/flows/shell/run";
export { StartError, TimedOut } from "./backends/flows/shell/group";
export { apply as applyFlows } from "./backends/flows/engine/apply";
export { compare as compareFlows } from "./backends/flows/switch/compare";
export { memo } from "./kit/memo/memo";
export { AgentConnections, Connections } from "./targets/connections";
