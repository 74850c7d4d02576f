/** Every public name of the package. */
export { Layer2Network, type Layer2NetworkArgs, type NetworkZone, type WaitFor } from "./components/layer2-network";
export { GatewayPeer } from "./resources/gateway-peer";
export { GatewayRouter } from "./resources/gateway-router";
export { LayerTwoSwitch } from "./resources/layer-two-switch";
export { NorthboundRows } from "./resources/northbound-rows";
export { OpenVSwitchRows } from "./resources/open-vswitch-rows";
export { Propagation } from "./resources/propagation";
export { RemoteChassis } from "./resources/remote-chassis";
export { SouthboundRows } from "./resources/southbound-rows";
export { TransitRouter } from "./resources/transit-router";
export { TunnelKeyPool } from "./resources/tunnel-key-pool";
export { WorkloadPorts } from "./resources/workload-ports";
export { DisagreementError } from "./agreement";
export { OvnResource, RowResource, type Inputs, type ResourceArgs, type RowArgs } from "./resource";
export type * from "./types";
