import { type Connections, propagate, type WaitFor } from "@pulumi-ovn/provider/targets";
import type { Check, Complaint } from "./check";

/** Milliseconds for northd and chassis to follow. */
const FOLLOW = 15_000;

const SUBJECTS: Readonly<Record<WaitFor, string>> = { southbound: "northd", chassis: "chassis" };

/** Zones in which northd has translated all changes, or all chassis have installed them (`nb_cfg` of ovn-nb(5)). */
export function propagationCheck(targets: Connections, zones: readonly string[], waitFor: WaitFor): Check {
  return {
    title: SUBJECTS[waitFor],
    complaints: async (milliseconds) => {
      const settled = await Promise.allSettled(zones.map((zone) => propagate(targets, zone, waitFor, Math.max(1, Math.min(FOLLOW, milliseconds)))));
      return settled.flatMap((result, index): Complaint[] =>
        result.status === "fulfilled" ? [] : [{ subject: `${SUBJECTS[waitFor]} of zone "${zones[index]}"`, problem: (result.reason as Error).message }],
      );
    },
  };
}
