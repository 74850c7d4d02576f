import type { Cluster, LiveObject } from "../../../targets/cluster/cluster";
import { type Lists, listKey } from "../../contract/backend";
import { ObjectError } from "../../../targets/cluster/errors";
import { OWNER_LABEL, ownerLabel } from "../set/marks";
import type { ObjectSet } from "../set";
import { parallel } from "../../../kit/parallel";
import { groupOf, identityOf, type ObjectRef, refOf, refText } from "../../../targets/cluster/reference";

/** One resource's objects in one cluster. */
export interface ObjectTarget {
  readonly cluster: Cluster;
  /** The URN of the resource. */
  readonly owner: string;
  /** Owners whose objects may be taken over; undefined when none is to be. */
  readonly managers: readonly string[] | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Lists that were already read. */
  readonly lists?: Lists | undefined;
}

/** Objects by `identityOf`. */
export type Snapshot = ReadonlyMap<string, LiveObject>;

/** Missing objects that are read one by one; for more of one kind, all names are listed. */
const FEW = 16;

/**
 * Live objects of a resource: all with its mark, and unmarked ones with wanted names. One list per kind, and further calls only if objects are
 * missing.
 *
 * @param former previous objects of the resource, as far as known
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

/** Objects of one kind with the resource's mark. */
async function owned({ cluster, owner, signal, lists }: ObjectTarget, refs: readonly ObjectRef[], isWanted: boolean): Promise<LiveObject[]> {
  // Wanted objects come first, so their version counts.
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
