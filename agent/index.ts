/** Every public name of the package. */
/** Tag, local to bgpd, of the routes that the agent has FRR announce. */
export { TAG as ROUTE_TAG } from "./host/frr/config";
export {
  type Bgp,
  type Desired,
  desired,
  type DeviceAddress,
  type HostSettings,
  type HostState,
  type LoadBalancer,
  type LocalBridge,
  type Neighbor,
  NOTHING,
  type PortBinding,
  type Problem,
  type Proxy,
  type Route,
  type Rule,
  type Snapshot,
  type TaggedPort,
} from "@pulumi-ovn/provider/agent";
export { type SnapshotSource, type SourceOptions, snapshotSource } from "./southbound/source";
export type { AgentHost, Converged, HostOptions } from "./host/agent-host";
export { Host } from "./host/host";
export { isVrfName, VRF_NAME } from "./host/vrf-name";
export { gauge, type Metric, prometheusText } from "./daemon/prometheus";
export * from "./daemon";
export * from "./vpc";
export * from "./command";
