import type { RouteAdvertisementSpec } from "./args";
import { checkSpec, targetOf } from "./check";
import { Failures } from "../../kit/arguments/failures";
import type { Metadata } from "./facts";

/** `k8s.ovn.org/v1` RouteAdvertisements, as ovn-kubernetes' controller answers to it. */
export interface RouteAdvertisementsObject {
  readonly metadata: Metadata & { readonly generation?: number };
  readonly status?: {
    readonly conditions?: readonly {
      readonly type: string;
      readonly status: string;
      readonly reason?: string;
      readonly message?: string;
      readonly observedGeneration?: number;
    }[];
  };
}

/** Renders the object that requests the announcement from ovn-kubernetes. Arguments that its controller would refuse are refused earlier. */
export function routeAdvertisements(spec: RouteAdvertisementSpec) {
  const failures = new Failures();
  checkSpec(spec, failures);
  if (Object.keys(spec.networks ?? {}).length > 0)
    failures.add("networks", "value", 'ovn-kubernetes does not know networks of the stack: they need mode "generate"');
  if (spec.waitFor !== "none") failures.add("waitFor", "value", 'with mode "controller" the object\'s condition is waited for, and nothing else');
  if (spec.nodesPrepared) failures.add("nodesPrepared", "value", 'has no meaning with mode "controller": ovn-kubernetes changes the nodes');
  if (spec.allowAsIn) failures.add("allowAsIn", "value", 'has no meaning with mode "controller": ovn-kubernetes sets it');
  failures.throwIfAny();
  const target = targetOf(spec);
  const { name, networkSelectors, nodeSelector = {}, frrConfigurationSelector = {}, advertisements } = spec;
  return {
    apiVersion: "k8s.ovn.org/v1",
    kind: "RouteAdvertisements",
    metadata: { name },
    // The controller does not accept "default" as the name of a VRF: it then leaves out every router.
    spec: { ...(target !== "" && { targetVRF: target }), networkSelectors, nodeSelector, frrConfigurationSelector, advertisements },
  };
}

export interface Acceptance {
  /** `refused`: by what is in the object; `pending`: it may still be accepted. */
  readonly state: "accepted" | "refused" | "pending";
  readonly message: string;
}

/** Returns the status that the controller reports for the current object. */
export function acceptance(object: RouteAdvertisementsObject | undefined): Acceptance {
  const condition = object?.status?.conditions?.find(({ type }) => type === "Accepted");
  if (condition === undefined || (condition.observedGeneration !== undefined && condition.observedGeneration !== object?.metadata.generation)) {
    return { state: "pending", message: "ovn-kubernetes has not looked at it; is its feature route-advertisements on?" };
  }
  const { status, reason = "", message = reason } = condition;
  if (status === "True") return { state: "accepted", message };
  return { state: reason === "ConfigurationError" ? "refused" : "pending", message };
}
