import { z } from "zod";
import type { Failure } from "../../kit/arguments/errors";
import { validate } from "../../kit/arguments/validate";

/** State of the zones' rows at which dependent resources continue. */
export interface PropagationArgs {
  /** Name of an OVN zone, a key of `zones` in the file of targets. Either this or `zones`. */
  zone?: string;
  /**
   * `southbound`: northd has translated the rows. `chassis`: every chassis has installed the flows, and every remote port has a chassis.
   * Default: `chassis`. (ovn-nbctl(8), --wait)
   */
  waitFor?: "southbound" | "chassis";
  /** Seconds that one zone may take. Default: 60. */
  timeout?: number;
  /** Revisions of the resources to wait for; a change starts a new wait. Default: none, waits once. */
  revision?: unknown;
  /** Several zones by name with their `revision`. An update waits for zones with a changed value, in parallel. */
  zones?: Record<string, unknown>;
}

const timeout = z.number().positive().max(86_400);

export const propagationSchema = z
  .strictObject({
    zone: z.string().min(1).optional(),
    waitFor: z.enum(["southbound", "chassis"]).default("chassis"),
    timeout: timeout.default(60),
    revision: z.unknown().optional(),
    zones: z.record(z.string().min(1), z.unknown()).optional(),
  })
  .refine(({ zone, zones }) => (zone === undefined) !== (zones === undefined), { path: ["zone"], message: 'give either "zone" or "zones"' })
  .refine(({ zones, revision }) => zones === undefined || revision === undefined, {
    path: ["revision"],
    message: 'is only for "zone": each of "zones" has its own',
  });

export type PropagationSpec = z.output<typeof propagationSchema>;

const componentWait = z.strictObject({ waitFor: z.enum(["none", "southbound", "chassis"]), waitTimeout: timeout.optional() });

/** Checks the wait options of a component. Its `Propagation` would refuse them only after everything that it waits for. */
export function waitFailures(wait: { readonly waitFor: unknown; readonly waitTimeout: unknown }): Failure[] {
  return validate(componentWait, wait);
}

/** Returns the revisions to wait for, by zone. */
export function revisionsOf({ zone, zones, revision }: PropagationSpec): Readonly<Record<string, unknown>> {
  return zones ?? { [zone!]: revision ?? null };
}
