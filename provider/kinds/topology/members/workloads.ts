import type { FromMembers } from "../../../kit/members/complete";
import type { WorkloadPortArgs } from "../workload-port";

export interface MemberWorkloadArgs extends Pick<WorkloadPortArgs, "addresses" | "portSecurity"> {
  /** The zone that it is in. */
  zone: string;
  /** The chassis that it is on. */
  chassis: string;
  mac: string;
  tunnelKey: number;
  /** Destination of a live migration in progress. Default: none. */
  migration?: { zone: string; chassis: string; activation?: "rarp" };
}

/**
 * The ports of a zone. A local port names its chassis, because it may come from another zone; until the chassis is set,
 * it keeps the chassis of that zone. While a workload migrates, the destination zone has it on both chassis, so its
 * packets reach the guest on either host. In other zones two names have no effect.
 */
export function portsIn(list: Readonly<Record<string, MemberWorkloadArgs>>, here: string): Record<string, WorkloadPortArgs> {
  return Object.fromEntries(Object.entries(list).map(([port, workload]) => [port, portAt(workload, locationIn(here, workload))]));
}

/** How a zone sees a workload: most of them in the same way. */
type PortLocation = "here" | "coming" | "elsewhere";

function locationIn(here: string, { zone, migration }: MemberWorkloadArgs): PortLocation {
  if (migration?.zone === here) return "coming";
  return zone === here ? "here" : "elsewhere";
}

function portAt({ zone: _zone, chassis, migration, portSecurity = true, ...entry }: MemberWorkloadArgs, location: PortLocation): WorkloadPortArgs {
  if (location === "coming")
    return { ...entry, portSecurity, chassis: [chassis, migration!.chassis], ...(migration!.activation && { activation: migration!.activation }) };
  return { ...entry, portSecurity, ...(location === "elsewhere" && { remote: true }), chassis: [chassis] };
}

export const portsFromMembers: FromMembers = { argument: "ports", part: (list, zone) => portsIn(list as Parameters<typeof portsIn>[0], zone) };
