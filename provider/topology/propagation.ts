import { z } from "zod";

/** How far a zone's rows must have come before what depends on this resource goes on. */
export interface PropagationArgs {
  /** Name of the OVN zone, a key of `zones` in the file of targets. */
  zone: string;
  /**
   * `southbound`: northd has translated the Northbound database. `chassis`: every chassis of the zone has also
   * installed the flows. As `--wait=sb` and `--wait=hv` of ovn-nbctl(8), but never for ever. Default: `chassis`.
   */
  waitFor?: "southbound" | "chassis";
  /** Seconds to wait before it counts as a failure that names the chassis which lag behind. Default: 60. */
  timeout?: number;
  /** Waits again whenever this changes: give the `revision` of each resource that it waits for. Default: none, waits once. */
  revision?: unknown;
}

export const propagationSchema = z.strictObject({
  zone: z.string().min(1),
  waitFor: z.enum(["southbound", "chassis"]).default("chassis"),
  timeout: z.number().positive().max(86_400).default(60),
  revision: z.unknown().optional(),
});
