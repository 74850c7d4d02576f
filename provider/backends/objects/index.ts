export { objectKinds } from "../../kinds/objects/kinds";
export { objectLines } from "./lines";

export type { AdoptObjectsArgs } from "./adoption";
export type * from "./object-set";
export type { KubernetesMetadataArgs, KubernetesObjectArgs, KubernetesObjectsArgs } from "../../kinds/objects/raw-objects";
export type { KubernetesObject, ObjectMetadata } from "../../targets/cluster/object";
