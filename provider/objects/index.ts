import { routeAdvertisement } from "../advertisement/kind";
import { kubernetesObjects } from "./raw-objects";

/** Every kind of resource that consists of Kubernetes objects, by name. */
export const objectKinds = { KubernetesObjects: kubernetesObjects, RouteAdvertisement: routeAdvertisement } as const;

export { objectLines } from "./lines";

export type { AdoptObjectsArgs } from "./adoption";
export type * from "./object-set";
export type { KubernetesMetadataArgs, KubernetesObjectArgs, KubernetesObjectsArgs } from "./raw-objects";
