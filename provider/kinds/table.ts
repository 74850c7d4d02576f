import { lazily } from "../kit/memo/lazily";

/**
 * Every kind of resource, by name. Each module, with its schema, is loaded for the first resource of the kind: a provider process
 * starts for each of Pulumi's operations and serves few kinds.
 */
export const kinds = lazily({
  Layer2Switch: () => (require("./topology/layer2-switch") as typeof import("./topology/layer2-switch")).layer2Switch,
  TransitRouter: () => (require("./topology/transit-router") as typeof import("./topology/transit-router")).transitRouter,
  GatewayRouter: () => (require("./topology/gateway-router") as typeof import("./topology/gateway-router")).gatewayRouter,
  GatewayPeer: () => (require("./topology/gateway-peer") as typeof import("./topology/gateway-peer")).gatewayPeer,
  Layer2Gateway: () => (require("./topology/layer2-gateway") as typeof import("./topology/layer2-gateway")).layer2Gateway,
  WorkloadPorts: () => (require("./topology/workload-ports") as typeof import("./topology/workload-ports")).workloadPorts,
  RemoteChassis: () => (require("./topology/remote-chassis") as typeof import("./topology/remote-chassis")).remoteChassis,
  EgressAddress: () => (require("./topology/egress-ip/address") as typeof import("./topology/egress-ip/address")).egressAddress,
  EgressReroute: () => (require("./topology/egress-ip/reroute") as typeof import("./topology/egress-ip/reroute")).egressReroute,
  NodeLocalBridge: () => (require("./topology/node-local/bridge") as typeof import("./topology/node-local/bridge")).nodeLocalBridge,
  NodeLocalGateway: () => (require("./topology/node-local/gateway") as typeof import("./topology/node-local/gateway")).nodeLocalGateway,
  NorthboundRows: () => (require("./topology/raw-rows") as typeof import("./topology/raw-rows")).northboundRows,
  SouthboundRows: () => (require("./topology/raw-rows") as typeof import("./topology/raw-rows")).southboundRows,
  OpenVSwitchRows: () => (require("./topology/raw-rows") as typeof import("./topology/raw-rows")).openVSwitchRows,
  BridgeFlows: () => (require("./topology/bridge-flows") as typeof import("./topology/bridge-flows")).bridgeFlows,
  VpcBridges: () => (require("./vpc/vpc-bridges") as typeof import("./vpc/vpc-bridges")).vpcBridges,
  LogicalRouterBridge: () => (require("./vpc/logical-router-bridge") as typeof import("./vpc/logical-router-bridge")).logicalRouterBridge,
  KubernetesObjects: () => (require("./kubernetes-objects") as typeof import("./kubernetes-objects")).kubernetesObjects,
  RouteAdvertisement: () => (require("./advertisement/kind") as typeof import("./advertisement/kind")).routeAdvertisement,
  BgpExposure: () => (require("./exposure/kind") as typeof import("./exposure/kind")).bgpExposure,
});
