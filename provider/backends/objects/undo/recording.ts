import { APPLY_VARIABLE } from "../../../targets/apply/record";
import { checkOnce } from "../../../targets/apply/check-once";
import type { Cluster } from "../../../targets/cluster/cluster";
import { ObjectError } from "../../../targets/cluster/errors";
import { noLongerPending, otherApply } from "../../../targets/errors";
import type { ObjectInverse } from "./inverse";
import { append, type ObjectFacts, readFacts } from "./record";
import { undoInverses } from "./undo";

/**
 * Does work that changes objects. The update of a pending apply records their inverses before it. Throws a PendingApplyError if an apply is
 * pending that this update does not belong to, or if its own is undone meanwhile: then the work is undone.
 */
export async function recordingObjects(cluster: Cluster, inverses: readonly ObjectInverse[], work: () => Promise<void>): Promise<void> {
  const id = process.env[APPLY_VARIABLE];
  if (id === undefined) {
    await checkOnce(cluster, "", () => refusePending(cluster));
    return work();
  }
  const remove = await append(cluster, id, inverses);
  // An undo that begins after this look finds the inverses.
  if (!isPending(await readFacts(cluster), id)) {
    await remove();
    throw noLongerPending(id);
  }
  const end = async () => {
    if (isPending(await readFacts(cluster), id)) return;
    // A concurrent undo may have looked at objects before they were written.
    await undoInverses(cluster, inverses);
    throw noLongerPending(id);
  };
  try {
    await work();
  } catch (error) {
    await end().catch(() => undefined);
    throw error;
  }
  await end();
}

const isPending = (facts: ObjectFacts | undefined, id: string): boolean => facts?.id === id && facts.phase === "pending" && facts.isEnding !== true;

async function refusePending(cluster: Cluster): Promise<void> {
  const facts = await readFacts(cluster).catch((error: unknown) => {
    // Most users of a cluster may not read Secrets of kube-system. The undo keeps and names what they change meanwhile.
    if (error instanceof ObjectError && error.code === "OVN_FORBIDDEN") return undefined;
    throw error;
  });
  if (facts) throw otherApply(facts);
}
