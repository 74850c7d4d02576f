/** Every public name of the package. */
export type { Snapshot, LocalBridge, PortBinding, LoadBalancer } from "./southbound/snapshot";
export { type SnapshotSource, type SourceOptions, snapshotSource } from "./southbound/source";
export { NOTHING, type HostState, type Bgp, type DeviceAddress, type Neighbor, type Proxy, type Route, type Rule, type TaggedPort } from "./desired/host-state";
export type { Problem } from "./desired/problem";
export type { AgentHost, Converged, HostOptions } from "./host/agent-host";
export { type Desired, desired, type HostSettings } from "./desired/desired";
export { Host } from "./host/host";
export { isVrfName, VRF_NAME } from "./host/vrf-name";
export * from "./daemon";
