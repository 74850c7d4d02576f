import type { Failure } from "@pulumi-ovn/provider";
import { checked, kubernetesObjects } from "@pulumi-ovn/provider/testing";

/** Failures of a ConfigMap with these fields, or of these objects. */
export function failuresOf(fields: object, objects: object = { a: { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" }, ...fields } }): Failure[] {
  return checked(kubernetesObjects.schema, { cluster: "c", objects }).failures;
}
