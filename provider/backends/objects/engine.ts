import { type Progress, withProgress } from "./errors";
import { observe, type ObjectTarget } from "./live/observe";
import { applyAsSeen } from "./engine/overtaken";
import { parallel } from "../../kit/parallel";
import type { ObjectSet } from "./set";
import { type Application, type Deletion, planOf, removalOf } from "./plan";
import { inversesOf } from "./undo/inverse";
import { recordingObjects } from "./undo/recording";

/**
 * Makes the cluster hold exactly these objects with the resource's mark. Everything is planned before anything is written; the next run
 * continues an interrupted one.
 */
export async function ensureObjects(target: ObjectTarget, wanted: ObjectSet, former?: ObjectSet): Promise<void> {
  const live = await observe(target, wanted, former);
  const { applications, deletions } = planOf(wanted, live, target);
  const total = applications.length + deletions.length;
  if (total === 0) return;
  const progress = { done: 0, total };
  // Namespaces before what is in them.
  const [namespaces, others] = [applications.filter(isNamespace), applications.filter((application) => !isNamespace(application))];
  await recordingObjects(target.cluster, inversesOf(live, { applications, deletions }), async () => {
    await withProgress(progress, () => apply(target, namespaces, progress));
    await withProgress(progress, () => apply(target, others, progress));
    await withProgress(progress, () => remove(target, deletions, progress));
  });
}

/** Deletes all objects with the resource's mark. */
export async function removeObjects(target: ObjectTarget, former: ObjectSet): Promise<void> {
  const live = await observe(target, { objects: [] }, former);
  const deletions = removalOf(live, target);
  if (deletions.length === 0) return;
  const progress = { done: 0, total: deletions.length };
  await recordingObjects(target.cluster, inversesOf(live, { applications: [], deletions }), () =>
    withProgress(progress, () => remove(target, deletions, progress)),
  );
}

const isNamespace = ({ object }: Application): boolean => object.apiVersion === "v1" && object.kind === "Namespace";

function apply(target: ObjectTarget, applications: readonly Application[], progress: Progress): Promise<unknown> {
  return parallel(applications, async (application) => {
    await applyAsSeen(target, application);
    progress.done++;
  });
}

/** Contents of a namespace are deleted before it. All deletions are requested before any is waited for. */
async function remove({ cluster, signal }: ObjectTarget, deletions: readonly Deletion[], progress: Progress): Promise<void> {
  const inNamespaces = (deletion: Deletion) => deletion.ref.namespace !== undefined;
  for (const some of [deletions.filter(inNamespaces), deletions.filter((deletion) => !inNamespaces(deletion))]) {
    const kept = await parallel(some, async ({ ref, uid, leaving }) => {
      const isKept = leaving || (await cluster.delete(ref, uid, signal));
      if (!isKept) progress.done++;
      return isKept;
    });
    await parallel(
      some.filter((_deletion, index) => kept[index]),
      async ({ ref, uid }) => {
        await cluster.waitUntilDeleted(ref, uid, signal);
        progress.done++;
      },
    );
  }
}
