/**
 * What the BGP agent needs of the inside, besides the public names: for `@pulumi-ovn/agent`, with no promise to others. Nothing of
 * Pulumi or Kubernetes is loaded by it.
 */
export * from "./address";
export { AGENT_KEY, type AgentExposure, agentExposure } from "./exposure/agent/exposure";
export { mayBeTold, names } from "./exposure/port";
export { withoutPort } from "./exposure/vip";
