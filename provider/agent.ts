/**
 * Internals that agents need in addition to the public names: for `@pulumi-ovn/agent`, with no promise to others. Nothing of
 * Pulumi or Kubernetes is loaded by it.
 */
export { killGroup } from "@pulumi-ovn/ovsdb-client";
export * from "./address";
export { readable } from "./address/readable";
export { AGENT_KEY, type AgentExposure, agentExposure } from "./exposure/agent/exposure";
export * from "./exposure/chassis";
export { mayBeTold, names } from "./exposure/port";
export { scopesIn } from "./exposure/router-port";
export { withoutPort } from "./exposure/vip";
export { flowCookie } from "./flows/cookie";
export { FlowError } from "./flows/errors";
export type { BridgeFlowList } from "./flows/flow-set";
export { flowCount } from "./flows/owned";
export { bundleOf, type BridgeDifference, type WantedFlow } from "./flows/plan";
export { HostKeeper, type Restored } from "./host/keeper";
export { isKeptName, KEPT_FOLDER, keptIn, type KeptUpdate } from "./host/kept";
export { runGroup, type Ended } from "./flows/run";
export { StartError, TimedOut } from "./flows/group";
export { apply as applyFlows, compare as compareFlows } from "./flows/switch";
export { byObject, byText } from "./memo/memo";
export { Connections } from "./targets/connections";
