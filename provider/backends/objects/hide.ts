import { HIDDEN, hiddenNames } from "../../kit/text/hidden";
import type { ObjectSet } from "./set";
import type { KubernetesObject } from "../../targets/cluster/object";
import { identityOf, refOf } from "../../targets/cluster/reference";

/** Objects for people, who must not read what other ones, of other secrets, say otherwise. */
export function hideObjects({ objects }: ObjectSet, other: ObjectSet): ObjectSet {
  const twins = new Map(other.objects.map((object) => [identityOf(refOf(object)), object]));
  const named = hiddenNames();
  return { objects: objects.map((object) => hideObject(object, twins.get(identityOf(refOf(object))), named)) };
}

/** An object that the others do not have is called by a secret, or by what derives from one. */
function hideObject(object: KubernetesObject, twin: KubernetesObject | undefined, named: () => string): KubernetesObject {
  if (!twin) return { apiVersion: object.apiVersion, kind: object.kind, metadata: { name: named() }, contents: HIDDEN };
  return hideValue(object, twin) as KubernetesObject;
}

function hideValue(value: unknown, twin: unknown): unknown {
  if (Array.isArray(value)) return Array.isArray(twin) && twin.length === value.length ? value.map((item, index) => hideValue(item, twin[index])) : HIDDEN;
  if (!isRecord(value)) return value === twin ? value : HIDDEN;
  if (!isRecord(twin)) return HIDDEN;
  return Object.fromEntries(Object.entries(value).map(([key, field]) => (Object.hasOwn(twin, key) ? [key, hideValue(field, twin[key])] : [HIDDEN, HIDDEN])));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
