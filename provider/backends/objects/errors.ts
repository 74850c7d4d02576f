import { ObjectError, type ObjectErrorCode } from "../../targets/cluster/errors";

/** Codes of a server if an object was created, deleted or replaced since it was read. */
const OVERTAKEN: ReadonlySet<ObjectErrorCode> = new Set(["OVN_CONTENTION", "OVN_FIELD_CONFLICT", "OVN_OBJECT_INVALID"]);

/** Whether another writer may have caused an error. */
export function isOvertaken(error: unknown): error is ObjectError {
  return error instanceof ObjectError && OVERTAKEN.has(error.code);
}

/** Objects that a write has finished, of all that it has to write. */
export interface Progress {
  done: number;
  readonly total: number;
}

/** Adds the progress of the work to a failure. */
export async function withProgress(progress: Progress, work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof ObjectError) || progress.done === 0) throw error;
    throw new ObjectError(error.code, `${error.message}; ${progress.done} of ${progress.total} objects were written, the next run continues from there`, {
      cause: error,
    });
  }
}
