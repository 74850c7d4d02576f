import { logicalRouterBridge } from "./logical-router-bridge";
import { vpcBridges } from "./vpc-bridges";

/** Every kind of resource that consists of bridges, ports and flows of a host, by name. */
export const hostKinds = { VpcBridges: vpcBridges, LogicalRouterBridge: logicalRouterBridge } as const;

export type { VpcAclRuleArgs, VpcArgs, VpcHostArgs, VpcProtocol, VpcTierArgs, VpcTunnelType, VpcVirtualRouterArgs, VpcWorkloadArgs } from "./args";
export type { VpcBridgesArgs } from "./bridges-args";
export type { LogicalRouterBridgeArgs, LogicalRouterTierArgs, LogicalRouterWorkloadArgs } from "./router-args";
export { logicalRouterBridge } from "./logical-router-bridge";
export { expandVpc, expandVpcBridges, expandVpcFrame, expandVpcRouters, type VpcFramePlan, type VpcPlan } from "./plan";
export { hostsOfTier, hostsOfVpc, vpcsOfHost, type VpcPlaces } from "./topology";
export { vpcBridges } from "./vpc-bridges";
