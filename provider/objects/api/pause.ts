import { setTimeout as sleep } from "node:timers/promises";
import { ObjectError } from "../errors";

/** Waits between two looks at a cluster. Throws OVN_ABORTED when the operation is cancelled meanwhile. */
export async function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  try {
    await sleep(milliseconds, undefined, signal && { signal });
  } catch {
    throw new ObjectError("OVN_ABORTED", "the operation was cancelled");
  }
}
