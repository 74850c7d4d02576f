/** Desired state of a chassis, computed from its databases: one pure function for the agent and for outputs of exposures. */
export { type Concern, concernOf } from "./concern";
export { type Desired, desired, type HostSettings } from "./desired";
export { exposuresHere, exposuresNaming, unreadable } from "./exposures";
export { type Bgp, type DeviceAddress, type HostState, type Neighbor, NOTHING, type Proxy, type Route, type Rule, type TaggedPort } from "./host-state";
export { hostsIn } from "./hosts-in";
export type { Problem } from "./problem";
export { columnsOf } from "./columns";
export { NAT_COLUMNS, NatRows, NETWORK_PORTS, SouthboundReader, type DatabaseRow, type DatabaseRows } from "./database-rows";
export { chassisMacsOf, exposuresOf, mappingsOf } from "./rows";
export { type FloatingIP, type LoadBalancer, type LocalBridge, NO_NORTHBOUND, type NorthboundFacts, type PortBinding, type Snapshot } from "./snapshot";
export { ChassisModel } from "./chassis-model";
