import { hostname, userInfo } from "node:os";
import { PendingApplyError } from "@pulumi-ovn/provider/targets";
import type { ApplyTarget } from "./target";
import { TIMER_TEXTS } from "./timer";

interface Prepared {
  readonly target: ApplyTarget;
  /** Text about the process that undoes the apply. Empty with a problem. */
  readonly timer: string;
  /** Reason why the target refuses the apply. */
  readonly problem?: string;
  /** Whether another apply is pending on the target. */
  readonly isTaken: boolean;
}

interface Apply {
  readonly id: string;
  /** `PROJECT/STACK` */
  readonly stack: string;
  /** Milliseconds since 1970. */
  readonly deadline: number;
}

/** Starts the timer of a target, and records the apply there. Returns failures. */
export async function prepare(target: ApplyTarget, { id, stack, deadline }: Apply): Promise<Prepared> {
  const { title } = target;
  try {
    // Before the record: a command that dies in between would leave an apply that nothing undoes.
    const timer = TIMER_TEXTS[await target.startTimer(id, Math.ceil((deadline - Date.now()) / 1000))];
    await target.layDown(id, { stack, by: `${userInfo().username}@${hostname()}`, deadline: new Date(deadline).toISOString(), timer });
    return { target, timer: `${title}: the undo waits in ${timer}`, isTaken: false };
  } catch (error) {
    return { target, timer: "", problem: `${title}: ${(error as Error).message}`, isTaken: error instanceof PendingApplyError };
  }
}
