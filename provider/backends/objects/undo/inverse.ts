import { sameJson } from "../../../kit/arguments/unknown";
import { FIELD_MANAGER, type FieldTree, type LiveObject } from "../../../targets/cluster/cluster";
import type { KubernetesObject } from "../../../targets/cluster/object";
import type { Application, Deletion } from "../plan";
import { identityOf, refOf } from "../../../targets/cluster/reference";
import type { Snapshot } from "../live/observe";

/** How to undo the change of one object. */
export interface ObjectInverse {
  /** Our fields before the change. Undefined: the object did not exist. */
  readonly before: KubernetesObject | undefined;
  /** Applied object. Undefined: the object is deleted. */
  readonly after: KubernetesObject | undefined;
}

/** Inverses of a plan, in the order of its changes. Pure. */
export function inversesOf(
  live: Snapshot,
  { applications, deletions }: { applications: readonly Application[]; deletions: readonly Deletion[] },
): ObjectInverse[] {
  const at = (ref: Parameters<typeof identityOf>[0]) => live.get(identityOf(ref));
  return [
    ...applications.map(({ object }): ObjectInverse => {
      const found = at(refOf(object));
      return { before: found && (applied(found) ?? likeAfter(object, found)), after: object };
    }),
    ...deletions.flatMap(({ ref }): ObjectInverse[] => {
      const found = at(ref);
      const before = found && applied(found);
      return before ? [{ before, after: undefined }] : [];
    }),
  ];
}

/** The fields that we have applied. Undefined for an object that we have never applied. */
function applied(object: LiveObject): KubernetesObject | undefined {
  const tree = object.metadata.managedFields?.find(
    ({ manager, operation, subresource }) => manager === FIELD_MANAGER && operation === "Apply" && subresource === undefined,
  )?.fieldsV1;
  return tree && withIdentity(object, owned(object, tree) as KubernetesObject);
}

/** Values of an adopted object in the fields that the update applies. */
const likeAfter = (after: KubernetesObject, object: LiveObject): KubernetesObject => withIdentity(object, shaped(object, after) as KubernetesObject);

function withIdentity({ apiVersion, kind, metadata: { name, namespace } }: LiveObject, fields: KubernetesObject): KubernetesObject {
  return { ...fields, apiVersion, kind, metadata: { ...fields.metadata, name, ...(namespace !== undefined && { namespace }) } };
}

/** The part of a value that a tree of fields names (meta/v1, FieldsV1). */
function owned(value: unknown, tree: FieldTree): unknown {
  const keys = Object.keys(tree).filter((key) => key !== ".");
  if (keys.length === 0) return value;
  if (Array.isArray(value)) return value.flatMap((item: unknown) => keys.flatMap((key) => fieldIn(item, key, tree[key]!)));
  return Object.fromEntries(
    keys.flatMap((key) => {
      const found = (value as Record<string, unknown> | undefined)?.[key.slice(2)];
      return key.startsWith("f:") && found !== undefined ? [[key.slice(2), owned(found, tree[key]!)]] : [];
    }),
  );
}

function fieldIn(item: unknown, key: string, tree: FieldTree): unknown[] {
  const wanted: unknown = JSON.parse(key.slice(2));
  if (key.startsWith("v:")) return sameJson(item, wanted) ? [item] : [];
  const keys = wanted as Record<string, unknown>;
  const isMeant = Object.entries(keys).every(([name, value]) => sameJson((item as Record<string, unknown>)[name], value));
  // The server adds keys that were not applied, such as the protocol of a port, again.
  return isMeant ? [owned(item, tree)] : [];
}

function shaped(value: unknown, like: unknown): unknown {
  if (typeof like !== "object" || like === null || Array.isArray(like) || typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(like).flatMap(([field, part]) => {
      const found = (value as Record<string, unknown>)[field];
      return found === undefined ? [] : [[field, shaped(found, part)]];
    }),
  );
}
