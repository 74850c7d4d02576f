export { objectLines } from "./lines";

export type { AdoptObjectsArgs } from "./kind";
export type * from "./set";
export type { KubernetesObject, ObjectMetadata } from "../../targets/cluster/object";
