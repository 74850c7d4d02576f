import { defineKind } from "./define";
import { z } from "zod";
import type { ClusterArgs } from "../backends/objects/kind";
import { Failures, propertyPath } from "../kit/arguments/failures";
import { byName, name, schemaOf } from "./topology/fields";
import { sortedEntries } from "../kit/entries";
import { annotations, apiVersion, kindName, labels, namespaceName, objectName } from "../backends/objects/set/names";
import type { KubernetesObject } from "../targets/cluster/object";
import { identityOf, refOf, refText } from "../targets/cluster/reference";

/** Objects of any kind in a Kubernetes cluster, applied together by server-side apply. Secrets are refused: create them with @pulumi/kubernetes. */
export interface KubernetesObjectsArgs extends ClusterArgs {
  /** Objects by a name, which means nothing to the cluster. */
  objects: Record<string, KubernetesObjectArgs>;
}

/** An object as in a manifest: these fields, and other fields of its kind such as `spec` or `data`. Omitted fields are not changed. */
export interface KubernetesObjectArgs {
  /** Group and version, such as `frrk8s.metallb.io/v1beta1`; `v1` for the core group. */
  apiVersion: string;
  /** Such as `FRRConfiguration`. No Secret: its contents would be in the state. */
  kind: string;
  /** Name, labels and annotations of the object. */
  metadata: KubernetesMetadataArgs;
  [field: string]: unknown;
}

export interface KubernetesMetadataArgs {
  /** Unique in its namespace. */
  name: string;
  /** Required for kinds that are in namespaces; no namespace is used by default. Default: none. */
  namespace?: string;
  /** Keys that start with `pulumi-ovn/` are taken. Default: none. */
  labels?: Record<string, string>;
  /** Keys that start with `pulumi-ovn/` are taken. Default: none. */
  annotations?: Record<string, string>;
}

const schema = schemaOf<KubernetesObjectsArgs>()(
  z.strictObject({
    cluster: name,
    objects: byName(
      z.looseObject({
        apiVersion,
        kind: kindName,
        metadata: z.strictObject({ name: objectName, namespace: namespaceName.optional(), labels: labels.optional(), annotations: annotations.optional() }),
      }),
    ),
  }),
);

function check(objects: readonly [string, KubernetesObject][]): void {
  const failures = new Failures();
  if (objects.length === 0) failures.add("objects", "required", "needs at least one object");
  const taken = new Map<string, string>();
  for (const [key, object] of objects) {
    const at = (...path: string[]) => propertyPath(["objects", key, ...path]);
    if (object.kind === "Secret" && object.apiVersion === "v1")
      failures.add(at("kind"), "secret", "the contents of a Secret would be in the state; make it with kubernetes.core.v1.Secret of @pulumi/kubernetes");
    if (object.status !== undefined) failures.add(at("status"), "value", "the status of an object is written by its controller");
    for (const marks of ["labels", "annotations"] as const) {
      for (const mark of Object.keys(object.metadata[marks] ?? {})) {
        if (mark.startsWith("pulumi-ovn/"))
          failures.add(at("metadata", marks, mark), "reserved", "keys that start with pulumi-ovn/ mark the owner of the object");
      }
    }
    const id = identityOf(refOf(object));
    const other = taken.get(id);
    if (other !== undefined) failures.add(at("metadata", "name"), "duplicate", `${refText(refOf(object))} is "${other}" already`);
    else taken.set(id, key);
  }
  failures.throwIfAny();
}

/** Any objects of a cluster. */
export const kubernetesObjects = defineKind({
  backend: "objects",
  name: "KubernetesObjects",
  schema,
  render: ({ objects }) => {
    const entries = sortedEntries(objects) as [string, KubernetesObject][];
    check(entries);
    return { set: { objects: entries.map(([, object]) => object) } };
  },
  outputs: [],
});
