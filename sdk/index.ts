/** Every public name of the package. */
import "./require-node";
import { endWithoutReader } from "./engine-loss";

export type { AdvertisedLayer2Network, RouteAdvertisementArgs } from "./components/advertised-networks";
export { EgressIPPolicy, type EgressIPPolicyArgs } from "./components/egress-ip-policy";
export { EgressConflictError } from "./components/egress-claims";
export { Layer2Network, type Layer2NetworkArgs, type NetworkZone } from "./components/layer2-network";
export type { TunnelKeysInput } from "./components/tunnel-keys";
export { Vpc, type VpcArgs } from "./components/vpc";
export { MatchError, type MatchSets, type NamedSets, parseMatch } from "@pulumi-ovn/provider";
export { hostsOfTier, hostsOfVpc, type SpannedVpc, vpcsOfHost, type VpcPlaces } from "@pulumi-ovn/provider";
export { expect } from "./intents/expect";
export type { WaitFor } from "./components/wait";
export { BgpExposure } from "./resources/bgp-exposure";
export { BridgeFlows } from "./resources/bridge-flows";
export { EgressAddress } from "./resources/egress-address";
export { EgressReroute } from "./resources/egress-reroute";
export { NodeLocalAccess, type NodeLocalAccessArgs, type NodeLocalZoneArgs } from "./components/node-local-access";
export { getPort, getPortOutput, getRouter, getRouterOutput, getSwitch, getSwitchOutput, type LookupInputs } from "./lookups";
export { AddressPool } from "./resources/address-pool";
export { GatewayPeer } from "./resources/gateway-peer";
export { GatewayRouter } from "./resources/gateway-router";
export { KubernetesObjects } from "./resources/kubernetes-objects";
export { Layer2Gateway } from "./resources/layer2-gateway";
export { Layer2Switch } from "./resources/layer2-switch";
export { LogicalRouterBridge } from "./resources/logical-router-bridge";
export { NodeLocalBridge } from "./resources/node-local-bridge";
export { NodeLocalGateway } from "./resources/node-local-gateway";
export { NorthboundRows } from "./resources/northbound-rows";
export { OpenVSwitchRows } from "./resources/open-vswitch-rows";
export { Propagation } from "./resources/propagation";
export { RouteAdvertisement } from "./resources/route-advertisement";
export { RemoteChassis } from "./resources/remote-chassis";
export { SouthboundRows } from "./resources/southbound-rows";
export { TransitRouter } from "./resources/transit-router";
export { TunnelKeyPool } from "./resources/tunnel-key-pool";
export { VpcBridges } from "./resources/vpc-bridges";
export { WorkloadPorts } from "./resources/workload-ports";
export { DisagreementError, OutsideAddressError, TunnelKeyError } from "./agreement";
export { ClearCredentialsError } from "./clear-credentials";
export {
  FlowResource,
  DeletedWithError,
  ImportOptionError,
  ObjectResource,
  OvnResource,
  RowResource,
  type Inputs,
  type InZone,
  type ObjectArgs,
  type ResourceArgs,
  type RowArgs,
} from "./resource";
export * from "./former-names";
export type * from "./types";

endWithoutReader();
