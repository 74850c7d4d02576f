import { ObjectError, type ObjectErrorCode } from "../../targets/cluster/errors";
import type { ObjectTarget } from "./observe";
import { type Application, applicationOf } from "./plan";
import { refOf } from "../../targets/cluster/reference";

/** As many times an object is looked at again that is not as it was seen. */
const LOOKS = 5;

/** What a server answers where an object came, went, or became another one since it was seen. */
const OVERTAKEN: ReadonlySet<ObjectErrorCode> = new Set(["OVN_CONTENTION", "OVN_FIELD_CONFLICT", "OVN_OBJECT_INVALID"]);

/** Applies an object if it is as it was seen; else goes by what it is now, and refuses what is somebody else's by then. */
export async function applyAsSeen(target: ObjectTarget, application: Application): Promise<void> {
  const { cluster, signal } = target;
  for (let [next, left]: [Application | undefined, number] = [application, LOOKS]; next !== undefined; left--) {
    const { object, wanted, force, uid }: Application = next;
    try {
      await cluster.apply(object, { force, uid }, signal);
      return;
    } catch (error) {
      if (left === 0 || !(error instanceof ObjectError) || !OVERTAKEN.has(error.code)) throw error;
      const live = await cluster.get(refOf(object), signal);
      // What can't be right is refused again.
      if (error.code === "OVN_OBJECT_INVALID" && live?.metadata.uid === uid) throw error;
      [next] = applicationOf(wanted, live, target);
    }
  }
}
