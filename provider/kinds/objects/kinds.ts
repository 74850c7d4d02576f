import { lazily } from "../../kit/memo/lazily";

/** Every kind of resource that consists of Kubernetes objects, by name. */
export const objectKinds = lazily({
  KubernetesObjects: () => (require("./raw-objects") as typeof import("./raw-objects")).kubernetesObjects,
  RouteAdvertisement: () => (require("../advertisement/kind") as typeof import("../advertisement/kind")).routeAdvertisement,
});
