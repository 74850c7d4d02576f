import type { RowKind } from "../backends/contract/kind";
import { kindOfType, TYPE_PREFIX } from "../kit/provider-text";
import { lazily } from "../kit/memo/lazily";

/*
 * A provider process serves few kinds, and begins for each of Pulumi's operations: each kind's module, with its schema, is loaded for
 * the first resource that asks for it.
 */

/** Every kind of resource that consists of rows, by name. */
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
});

/** Any kind that consists of rows, whatever its arguments: what its schema has parsed is what it renders. */
export type AnyRowKind = RowKind<never>;

export type RowKindName = keyof typeof kinds;

export function rowKind(name: RowKindName): AnyRowKind {
  return kinds[name] as unknown as AnyRowKind;
}

/** The kind that a type names; undefined where such resources have no rows, or are another provider's. */
export function rowKindOfType(type: string): AnyRowKind | undefined {
  const name = kindOfType(type);
  return type.startsWith(TYPE_PREFIX) && Object.hasOwn(kinds, name) ? rowKind(name as RowKindName) : undefined;
}

/** Every kind of resource that consists of flows on a host's bridges, by name. */
export const flowKinds = lazily({
  BridgeFlows: () => (require("./topology/bridge-flows") as typeof import("./topology/bridge-flows")).bridgeFlows,
});

/** Every kind of resource that consists of bridges, ports and flows of a host, by name. */
export const hostKinds = lazily({
  VpcBridges: () => (require("./vpc/vpc-bridges") as typeof import("./vpc/vpc-bridges")).vpcBridges,
  LogicalRouterBridge: () => (require("./vpc/logical-router-bridge") as typeof import("./vpc/logical-router-bridge")).logicalRouterBridge,
});

/** Every kind of resource that consists of Kubernetes objects, by name. */
export const objectKinds = lazily({
  KubernetesObjects: () => (require("./kubernetes-objects") as typeof import("./kubernetes-objects")).kubernetesObjects,
  RouteAdvertisement: () => (require("./advertisement/kind") as typeof import("./advertisement/kind")).routeAdvertisement,
});

/** Every kind of resource that consists of entries in rows of others, which it finds by looking, by name. */
export const exposureKinds = lazily({
  BgpExposure: () => (require("./exposure/kind") as typeof import("./exposure/kind")).bgpExposure,
});
