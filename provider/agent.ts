/**
 * Internals that agents need in addition to the public names: for `@pulumi-ovn/agent`, with no promise to others. Nothing of
 * Pulumi or Kubernetes is loaded by it.
 */
export { killGroup } from "@pulumi-ovn/ovsdb-client";
export * from "./kit/address";
export { readable } from "./kit/address/readable";
export { AGENT_KEY, type AgentExposure, agentExposure } from "./kinds/exposure/agent/exposure";
export * from "./kinds/exposure/chassis";
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
