export { expandNodeLocalAccess, type GatewayPlan, type NodeLocalAccessPlan } from "./access";
export type { NodeLocalAccessArgs, NodeLocalHostArgs, NodeLocalZoneArgs } from "./access-args";
export { nodeLocalBridge, type NodeLocalBridgeArgs } from "./bridge";
export { nodeLocalGateway } from "./gateway";
export type { NodeLocalGatewayArgs, NodeLocalManagementArgs, NodeLocalNodeArgs } from "./gateway-args";
