export { objectKinds } from "./kinds";
export { objectLines } from "./lines";

export type { AdoptObjectsArgs } from "./adoption";
export type * from "./object-set";
export type { KubernetesMetadataArgs, KubernetesObjectArgs, KubernetesObjectsArgs } from "./raw-objects";
export type { KubernetesObject, ObjectMetadata } from "./kubernetes-object";
