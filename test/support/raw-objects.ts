import { checked } from "../../provider/kit/arguments/validate";
import { kubernetesObjects } from "../../provider/kinds/kubernetes-objects";
import type { Failure } from "../../provider/kit/arguments/errors";

/** Failures of a ConfigMap with these fields, or of these objects. */
export function failuresOf(fields: object, objects: object = { a: { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" }, ...fields } }): Failure[] {
  return checked(kubernetesObjects.schema, { cluster: "c", objects }).failures;
}
