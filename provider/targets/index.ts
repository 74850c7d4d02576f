export { checkOnce } from "./apply/check-once";
export { layDown } from "./apply/lay-down";
export { APPLY_VARIABLE, type ApplyFacts, type ApplyRecord, isRecordKey, type Phase, readRecord, rootTable } from "./apply/record";
export type { PartImage, StoredPart } from "./apply/part";
export { recordingParts } from "./apply/record-parts";
export { guardedByApply } from "./apply/recording";
export { confirmApply, forgetApply, type RestoredParts, type RestoreParts, type Undone, undoApply } from "./apply/undo";
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
