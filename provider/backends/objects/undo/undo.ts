import type { Cluster, LiveObject } from "../../../targets/cluster/cluster";
import { ObjectError } from "../../../targets/cluster/errors";
import { PendingApplyError } from "../../../targets/errors";
import type { KubernetesObject } from "../../../targets/cluster/object";
import { refOf, refText } from "../../../targets/cluster/reference";
import { differencesOf } from "../plan/fields";
import { DIGEST_ANNOTATION } from "../set/marks";
import type { ObjectInverse } from "./inverse";
import { changeObjectRecord, forgetInverses, readFacts, readObjectRecord } from "./record";

/**
 * Undoes a pending apply in a cluster, last change first. Objects that another manager changed since stay. An interrupted undo is continued by
 * the next. Does nothing if the apply is not pending.
 */
export async function undoObjects(cluster: Cluster, id: string): Promise<void> {
  const facts = await readFacts(cluster);
  if (facts?.id !== id || facts.phase !== "pending") return;
  try {
    // Before the inverses are read: a resource that is recorded later sees it, and writes nothing.
    await changeObjectRecord(cluster, id, "pending", (now) => ({ ...now, isEnding: true }));
    const { inverses = [] } = (await readObjectRecord(cluster)) ?? {};
    const kept = await undoInverses(cluster, inverses);
    await changeObjectRecord(cluster, id, "pending", (now) => ({ ...now, phase: "undone", kept }));
    await forgetInverses(cluster, id);
  } catch (error) {
    if (!(error instanceof PendingApplyError)) throw error;
  }
}

/** Undoes changes, last one first. Returns objects that stay, because another manager changed them since. */
export async function undoInverses(cluster: Cluster, inverses: readonly ObjectInverse[]): Promise<string[]> {
  const kept: string[] = [];
  for (const inverse of inverses.toReversed()) {
    if (!(await undone(cluster, inverse))) kept.push(refText(refOf((inverse.before ?? inverse.after)!)));
  }
  return kept;
}

/** Keeps the changes. Throws a PendingApplyError if the apply is not pending any more. */
export const confirmObjects = (cluster: Cluster, id: string): Promise<void> => finish(cluster, id, "pending");

/** Forgets an undone apply, when the state is put back. */
export const forgetObjects = (cluster: Cluster, id: string): Promise<void> => finish(cluster, id, "undone");

async function finish(cluster: Cluster, id: string, phase: "pending" | "undone"): Promise<void> {
  if ((await readFacts(cluster))?.id !== id) return;
  await changeObjectRecord(cluster, id, phase, () => undefined);
  await forgetInverses(cluster, id);
}

/** False for an object that another manager changed since. */
async function undone(cluster: Cluster, { before, after }: ObjectInverse): Promise<boolean> {
  const live = await cluster.get(refOf((before ?? after)!));
  if (!after) return restoredDeletion(cluster, before!, live);
  if (!live) return before === undefined;
  const { uid } = live.metadata;
  if (before && digestIn(live) === digestIn(before)) return true; // not written yet, or undone already
  if (digestIn(live) !== digestIn(after) || differencesOf(after, live, false).length > 0) return false;
  if (before) return applied(cluster, before, uid);
  if (await cluster.delete(refOf(live), uid)) await cluster.waitUntilDeleted(refOf(live), uid);
  return true;
}

async function restoredDeletion(cluster: Cluster, before: KubernetesObject, live: LiveObject | undefined): Promise<boolean> {
  if (live) return digestIn(live) === digestIn(before);
  return applied(cluster, before, undefined);
}

async function applied(cluster: Cluster, object: KubernetesObject, uid: string | undefined): Promise<boolean> {
  try {
    await cluster.apply(object, { force: false, uid });
    return true;
  } catch (error) {
    if (error instanceof ObjectError && (error.code === "OVN_FIELD_CONFLICT" || error.code === "OVN_CONTENTION")) return false;
    throw error;
  }
}

const digestIn = ({ metadata }: KubernetesObject): string | undefined => metadata.annotations?.[DIGEST_ANNOTATION];
