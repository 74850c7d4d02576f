import type { KubernetesObject } from "./object";

/** Which object is meant. */
export interface ObjectRef {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace?: string | undefined;
  readonly name: string;
}

export function refOf({ apiVersion, kind, metadata: { namespace, name } }: KubernetesObject): ObjectRef {
  return { apiVersion, kind, namespace, name };
}

/** `FRRConfiguration frr-k8s-system/a`, as it is called in previews and errors. */
export function refText({ kind, namespace, name }: ObjectRef): string {
  return `${kind} ${namespace === undefined ? "" : `${namespace}/`}${name}`;
}

/** Identity of an object, independent of the version of its group. */
export function identityOf({ apiVersion, kind, namespace = "", name }: ObjectRef): string {
  return JSON.stringify([groupOf(apiVersion), kind, namespace, name]);
}

/** Label of an object in previews. */
export function objectLabel(object: KubernetesObject): string {
  return refText(refOf(object));
}

/** Identity of an object. */
export function objectId(object: KubernetesObject): string {
  return identityOf(refOf(object));
}

/** Kinds of one name may be of several groups. */
export function kindName({ apiVersion, kind }: Pick<ObjectRef, "apiVersion" | "kind">): string {
  return `${kind} (${apiVersion})`;
}

export function groupOf(apiVersion: string): string {
  return apiVersion.includes("/") ? apiVersion.slice(0, apiVersion.indexOf("/")) : "";
}
