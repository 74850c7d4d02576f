import type { KubernetesObject } from "@pulumi-ovn/provider";
import { type FieldTree, type LiveObject, type ManagedFields, marked } from "@pulumi-ovn/provider/testing";

export const OWNER = "urn:pulumi:dev::trial::pulumi-nodejs:dynamic/ovn:KubernetesObjects::it";

export const map = (name: string, data: object = {}, metadata: object = {}): KubernetesObject => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name, namespace: "app", ...metadata },
  data,
});

/** The fields of a value as the server lists them for the manager that has set them: lists as a whole. */
export function treeOf(value: unknown): FieldTree {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return {};
  return Object.fromEntries(Object.entries(value).map(([field, member]) => [`f:${field}`, treeOf(member)]));
}

export const manager = (name: string, operation: "Apply" | "Update", fieldsV1: FieldTree, more: object = {}): ManagedFields => ({
  manager: name,
  operation,
  fieldsV1,
  ...more,
});

/** An object as the server has it after it was applied for an owner, and what was done to it since. */
export function applied(object: KubernetesObject, change: (live: any) => void = () => undefined, owner = OWNER): LiveObject {
  const live = structuredClone(marked(object, owner)) as any;
  const { name: _name, namespace: _namespace, ...metadata } = live.metadata;
  const { apiVersion: _version, kind: _kind, ...fields } = live;
  live.metadata = {
    ...live.metadata,
    uid: `uid of ${live.metadata.name}`,
    resourceVersion: "1",
    managedFields: [manager("pulumi-ovn", "Apply", treeOf({ ...fields, metadata }))],
  };
  change(live);
  return live as LiveObject;
}

/** Object that no resource of ours owns. */
export const foreign = (object: KubernetesObject, metadata: object = {}): LiveObject =>
  ({ ...object, metadata: { ...object.metadata, uid: "theirs", resourceVersion: "1", ...metadata } }) as LiveObject;
