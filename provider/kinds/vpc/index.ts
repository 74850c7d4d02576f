export type { VpcAclRuleArgs, VpcArgs, VpcHostArgs, VpcProtocol, VpcTierArgs, VpcTunnelType, VpcVirtualRouterArgs, VpcWorkloadArgs } from "./args";
export type { VpcBridgesArgs, VpcPortSecurityArgs } from "./bridges-args";
export type { LogicalRouterBridgeArgs, LogicalRouterTierArgs, LogicalRouterWorkloadArgs } from "./router-args";
export { logicalRouterBridge } from "./logical-router-bridge";
export { vpcNeedsOf } from "./parts";
export { expandVpc, expandVpcBridges, expandVpcFrame, expandVpcRouters, type VpcFramePlan, type VpcPlan } from "./plan";
export { hostsOfTier, hostsOfVpc, type SpannedVpc, vpcsOfHost, type VpcPlaces } from "./topology";
export { vpcBridges } from "./vpc-bridges";
