import * as pulumi from "@pulumi/pulumi";
import type { RowResource } from "../resource";
import { Propagation } from "../resources/propagation";

/**
 * Condition that every zone must meet before a component counts as done. `southbound`: northd has translated the rows. `chassis`: every chassis has
 * installed the flows.
 */
export type WaitFor = "none" | "southbound" | "chassis";

/** How a component waits. */
export interface Wait {
  readonly waitFor: WaitFor;
  /** Seconds for one zone. */
  readonly waitTimeout: number | undefined;
}

/**
 * One resource that waits for all zones of a component in parallel. In an update it waits only for zones whose resources have
 * changed. Undefined if no wait is needed.
 */
export function waitForZones(
  name: string,
  zones: Readonly<Record<string, readonly RowResource[]>>,
  { waitFor, waitTimeout }: Wait,
  parent: pulumi.Resource,
): Propagation | undefined {
  if (waitFor === "none" || Object.keys(zones).length === 0) return undefined;
  const revisions = Object.entries(zones).map(
    ([zone, resources]) => [zone, pulumi.all(resources.map(({ revision }) => revision)).apply((all) => all.join(" "))] as const,
  );
  return new Propagation(name, { zones: Object.fromEntries(revisions), waitFor, ...(waitTimeout !== undefined && { timeout: waitTimeout }) }, { parent });
}
