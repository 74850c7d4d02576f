import { canonical } from "../../../kit/arguments/unknown";
import { memo } from "../../../kit/memo/memo";
import { digestOf } from "../../../kit/digest";
import type { LiveObject } from "../../../targets/cluster/cluster";
import { FIELD_MANAGER } from "../../../targets/cluster/cluster";
import type { KubernetesObject } from "../../../targets/cluster/object";

/** Label with the owner's digest, because a URN is not a valid label value. */
export const OWNER_LABEL = "pulumi-ovn/owner";

/** Annotation with the URN, for people and for refusals. */
const OWNER_ANNOTATION = "pulumi-ovn/owner";

/** Annotation with the digest of what was applied: servers may store a value in other words (1024Mi as 1Gi). */
export const DIGEST_ANNOTATION = "pulumi-ovn/digest";

/** Label that many tools put on what is theirs (Kubernetes, "Recommended Labels"). */
const MANAGED_BY = "app.kubernetes.io/managed-by";

export function ownerLabel(owner: string): string {
  return digestOf(owner).replaceAll(/[^A-Za-z0-9]/g, "x");
}

/** The object as it is applied. */
export function marked(object: KubernetesObject, owner: string): KubernetesObject {
  const { metadata } = object;
  return {
    ...object,
    metadata: {
      ...metadata,
      labels: { ...metadata.labels, [OWNER_LABEL]: ownerLabel(owner) },
      annotations: { ...metadata.annotations, [OWNER_ANNOTATION]: owner, [DIGEST_ANNOTATION]: objectDigest(object) },
    },
  };
}

/** Equal for equal objects, in any order. Used by the digest of the set and the mark of each object. */
export const objectDigest = memo((object: KubernetesObject): string => digestOf(canonical(object)));

/** Owner of the object: a URN, `Deployment/a` or a field manager. Undefined if the object has no owner. */
export function ownerOf({ metadata }: LiveObject): string | undefined {
  const urn = metadata.annotations?.[OWNER_ANNOTATION];
  if (urn !== undefined) return urn;
  const controller = metadata.ownerReferences?.find((reference) => reference.controller);
  return controller ? `${controller.kind}/${controller.name}` : metadata.labels?.[MANAGED_BY];
}

/** Writers of an object, for a refusal without an owner mark. */
export function writersOf({ metadata }: LiveObject): string[] {
  return [...new Set((metadata.managedFields ?? []).flatMap(({ manager }) => (manager === undefined || manager === FIELD_MANAGER ? [] : [manager])))].sort();
}
