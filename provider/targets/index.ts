export * from "./apply";
export { Connections, ShadowConnections } from "./connections";
export type { DatabaseName } from "./database";
export { ClusterError, HostError, PendingApplyError, TargetsError, ZoneError } from "./errors";
export { kubernetesConfig, type KubernetesConfig } from "./kubernetes-config";
export { propagate, PropagationError, type WaitFor } from "./propagate";
export { targetsOf, zonesOf, type Clusters, type ClusterSettings, type Host, type Hosts, type Targets, type Zone, type Zones } from "./schema";
export {
  OLD_ZONES,
  OLD_ZONES_KEY,
  projectFolder,
  readAllTargets,
  readTargets,
  TARGETS_KEY,
  TARGETS_VARIABLE,
  ZONES_VARIABLE,
  type TargetSource,
} from "./source";
export { withPurpose } from "./transaction-log";
