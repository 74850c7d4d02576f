export { objectLines } from "./lines";

export type { AdoptObjectsArgs } from "./adoption";
export type * from "./object-set";
export type { KubernetesObject, ObjectMetadata } from "../../targets/cluster/object";
