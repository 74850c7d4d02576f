import type { Cluster, LiveObject } from "../../targets/cluster/cluster";
import { type Lists, listKey } from "../contract/backend";
import { ObjectError } from "../../targets/cluster/errors";
import { OWNER_LABEL, ownerLabel } from "./marks";
import type { ObjectSet } from "./object-set";
import { parallel } from "./parallel";
import { groupOf, identityOf, type ObjectRef, refOf, refText } from "../../targets/cluster/reference";

/** One resource's objects in one cluster. */
export interface ObjectTarget {
  readonly cluster: Cluster;
  /** The URN of the resource. */
  readonly owner: string;
  /** Owners whose objects may be taken over; undefined when none is to be. */
  readonly managers: readonly string[] | undefined;
  readonly signal?: AbortSignal | undefined;
  /** What need not be asked for any more. */
  readonly lists?: Lists | undefined;
}

/** Objects by `identityOf`. */
export type Snapshot = ReadonlyMap<string, LiveObject>;

/** As many missing objects are asked for one by one; more of one kind are looked up in a list of names. */
const FEW = 16;

/**
 * What the cluster has of a resource: everything that bears its mark, and, of what is wanted and does not, what is there
 * under that name. One list for each kind, and further calls only where something is missing.
 *
 * @param former what the resource consisted of before, as far as is known
 */
export async function observe(target: ObjectTarget, wanted: ObjectSet, former?: ObjectSet): Promise<Snapshot> {
  const kindsAlone = [...(wanted.kinds ?? []), ...(former?.kinds ?? [])].map((kind) => ({ ...kind, name: "" }));
  const refs = [...[...wanted.objects, ...(former?.objects ?? [])].map(refOf), ...kindsAlone];
  const kinds = new Map<string, ObjectRef[]>();
  for (const ref of refs) {
    const key = JSON.stringify([groupOf(ref.apiVersion), ref.kind]);
    kinds.set(key, [...(kinds.get(key) ?? []), ref]);
  }
  const wantedIds = new Set(wanted.objects.map((object) => identityOf(refOf(object))));
  const found = new Map<string, LiveObject>();
  const lists = await parallel([...kinds.values()], (ofKind) =>
    owned(
      target,
      ofKind,
      ofKind.some((ref) => wantedIds.has(identityOf(ref))),
    ),
  );
  for (const object of lists.flat()) found.set(identityOf(refOf(object)), object);
  const missing = wanted.objects.map(refOf).filter((ref) => !found.has(identityOf(ref)));
  for (const object of await named(target, missing)) found.set(identityOf(refOf(object)), object);
  return found;
}

/** Objects of one kind that bear the resource's mark. */
async function owned({ cluster, owner, signal, lists }: ObjectTarget, refs: readonly ObjectRef[], isWanted: boolean): Promise<LiveObject[]> {
  // What is wanted comes first, so its version counts.
  const { apiVersion, kind } = refs[0]!;
  const mark = ownerLabel(owner);
  const whole = lists?.get(listKey(apiVersion, kind)) as readonly LiveObject[] | undefined;
  if (whole) return whole.filter(({ metadata }) => metadata.labels?.[OWNER_LABEL] === mark);
  const labels = `${OWNER_LABEL}=${mark}`;
  try {
    for (const ref of isWanted ? refs.filter(({ name }) => name !== "") : []) await requirePlace(cluster, ref, signal);
    return await cluster.list(apiVersion, kind, { labels }, signal);
  } catch (error) {
    if (!(error instanceof ObjectError)) throw error;
    // With the kind went its objects.
    if (error.code === "OVN_KIND_MISSING" && !isWanted) return [];
    const namespaces = [...new Set(refs.flatMap(({ namespace }) => namespace ?? []))];
    // Rights may be for single namespaces.
    if (error.code !== "OVN_FORBIDDEN" || namespaces.length === 0) throw error;
    return (await parallel(namespaces, (namespace) => cluster.list(apiVersion, kind, { namespace, labels }, signal))).flat();
  }
}

async function requirePlace(cluster: Cluster, ref: ObjectRef, signal: AbortSignal | undefined): Promise<void> {
  const namespaced = await cluster.isNamespaced(ref, signal);
  if (namespaced === (ref.namespace !== undefined)) return;
  throw new ObjectError(
    "OVN_OBJECT_INVALID",
    `${refText(ref)}: ${namespaced ? "metadata.namespace is required for this kind; neither kubernetes:namespace nor the kubeconfig's namespace stands for it" : "objects of this kind are in no namespace: leave metadata.namespace out"}`,
  );
}

/** Objects that exist under these names. */
async function named(target: ObjectTarget, refs: readonly ObjectRef[]): Promise<LiveObject[]> {
  const { cluster, signal } = target;
  const groups = new Map<string, ObjectRef[]>();
  for (const ref of refs) {
    const key = JSON.stringify([ref.apiVersion, ref.kind, ref.namespace ?? ""]);
    groups.set(key, [...(groups.get(key) ?? []), ref]);
  }
  const taken = await parallel([...groups.values()], async (group) => {
    if (group.length <= FEW) return group;
    const { apiVersion, kind, namespace } = group[0]!;
    const listed = new Set((await cluster.list(apiVersion, kind, { namespace, metadataOnly: true }, signal)).map(({ metadata }) => metadata.name));
    return group.filter(({ name }) => listed.has(name));
  });
  const objects = await parallel(taken.flat(), (ref) => cluster.get(ref, signal));
  return objects.filter((object) => object !== undefined);
}
