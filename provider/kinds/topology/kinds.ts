import type { RowKind } from "../../backends/contract/kind";
import { kindOfType, TYPE_PREFIX } from "../../kit/provider-text";
import { lazily } from "../../kit/memo/lazily";

/*
 * A provider process serves few kinds, and begins for each of Pulumi's operations: each kind's module, with its schema, is loaded for
 * the first resource that asks for it.
 */

/** Every kind of resource that consists of rows, by name. */
export const kinds = lazily({
  Layer2Switch: () => (require("./layer2-switch") as typeof import("./layer2-switch")).layer2Switch,
  TransitRouter: () => (require("./transit-router") as typeof import("./transit-router")).transitRouter,
  GatewayRouter: () => (require("./gateway-router") as typeof import("./gateway-router")).gatewayRouter,
  GatewayPeer: () => (require("./gateway-peer") as typeof import("./gateway-peer")).gatewayPeer,
  Layer2Gateway: () => (require("./layer2-gateway") as typeof import("./layer2-gateway")).layer2Gateway,
  WorkloadPorts: () => (require("./workload-ports") as typeof import("./workload-ports")).workloadPorts,
  RemoteChassis: () => (require("./remote-chassis") as typeof import("./remote-chassis")).remoteChassis,
  EgressAddress: () => (require("./egress-ip/address") as typeof import("./egress-ip/address")).egressAddress,
  EgressReroute: () => (require("./egress-ip/reroute") as typeof import("./egress-ip/reroute")).egressReroute,
  NodeLocalBridge: () => (require("./node-local/bridge") as typeof import("./node-local/bridge")).nodeLocalBridge,
  NodeLocalGateway: () => (require("./node-local/gateway") as typeof import("./node-local/gateway")).nodeLocalGateway,
  NorthboundRows: () => (require("./raw-rows") as typeof import("./raw-rows")).northboundRows,
  SouthboundRows: () => (require("./raw-rows") as typeof import("./raw-rows")).southboundRows,
  OpenVSwitchRows: () => (require("./raw-rows") as typeof import("./raw-rows")).openVSwitchRows,
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
  BridgeFlows: () => (require("./bridge-flows") as typeof import("./bridge-flows")).bridgeFlows,
});
