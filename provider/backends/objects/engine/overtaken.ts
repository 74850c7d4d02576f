import { isOvertaken } from "../errors";
import type { ObjectTarget } from "../live/observe";
import { type Application, applicationOf } from "../plan";
import { refOf } from "../../../targets/cluster/reference";

/** Attempts for an object that changes between read and write. */
const ATTEMPTS = 5;

/** Applies an object if it is as it was read; otherwise decides by its new state, and refuses one of another owner. */
export async function applyAsSeen(target: ObjectTarget, application: Application): Promise<void> {
  const { cluster, signal } = target;
  for (let [next, left]: [Application | undefined, number] = [application, ATTEMPTS]; next !== undefined; left--) {
    const { object, wanted, force, uid }: Application = next;
    try {
      await cluster.apply(object, { force, uid }, signal);
      return;
    } catch (error) {
      if (left === 0 || !isOvertaken(error)) throw error;
      const live = await cluster.get(refOf(object), signal);
      // An invalid object is refused again.
      if (error.code === "OVN_OBJECT_INVALID" && live?.metadata.uid === uid) throw error;
      [next] = applicationOf(wanted, live, target);
    }
  }
}
