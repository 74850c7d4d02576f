import { bridgeFlows } from "./bridge-flows";
import { egressAddress, egressReroute } from "./egress-ip";
import { gatewayPeer } from "./gateway-peer";
import { gatewayRouter } from "./gateway-router";
import { layer2Switch } from "./layer2-switch";
import { layer2Gateway } from "./layer2-gateway";
import { nodeLocalBridge, nodeLocalGateway } from "./node-local";
import { northboundRows, openVSwitchRows, southboundRows } from "./raw-rows";
import { remoteChassis } from "./remote-chassis";
import { transitRouter } from "./transit-router";
import { workloadPorts } from "./workload-ports";

/** Every kind of resource that consists of rows, by name. */
export const kinds = {
  Layer2Switch: layer2Switch,
  TransitRouter: transitRouter,
  GatewayRouter: gatewayRouter,
  GatewayPeer: gatewayPeer,
  Layer2Gateway: layer2Gateway,
  WorkloadPorts: workloadPorts,
  RemoteChassis: remoteChassis,
  EgressAddress: egressAddress,
  EgressReroute: egressReroute,
  NodeLocalBridge: nodeLocalBridge,
  NodeLocalGateway: nodeLocalGateway,
  NorthboundRows: northboundRows,
  SouthboundRows: southboundRows,
  OpenVSwitchRows: openVSwitchRows,
} as const;

/** Every kind of resource that consists of flows on a host's bridges, by name. */
export const flowKinds = {
  BridgeFlows: bridgeFlows,
} as const;

export * from "./agreement";
export * from "./bridge-flows";
export * from "./claims";
export * from "./egress-ip";
export * from "./gateway-peer";
export * from "./gateway-router";
export * from "./keys";
export * from "./layer2-switch";
export * from "./layer2-gateway";
export * from "./naming";
export * from "./network";
export type { AddressPoolArgs, PoolAddresses } from "./address-pool";
export * from "./node-local";
export * from "./propagation";
export * from "./raw-rows";
export * from "./remote-chassis";
export type { RouteImportArgs } from "./route-import";
export type { RoutingPolicyArgs, StaticRouteArgs } from "./routing";
export type { TopologyArgs } from "./rows";
export * from "./transit-router";
export * from "./tunnel-key-pool";
export * from "./workload-ports";
