import type { FromMembers } from "../../../kit/members/complete";
import type { WorkloadPortArgs } from "../workload-port";

export interface MemberWorkloadArgs extends Pick<WorkloadPortArgs, "addresses" | "portSecurity"> {
  /** The zone that it is in. */
  zone: string;
  /** The chassis that it is on. */
  chassis: string;
  mac: string;
  tunnelKey: number;
  /** Where it is about to be, in a live migration. Default: none. */
  migration?: { zone: string; chassis: string; activation?: "rarp" };
}

/**
 * The ports of a zone. One of its own asks for its chassis by name: it may come from another zone, and then has that
 * one's chassis until it is told otherwise. While a workload is on its way, the zone that it goes to has it on both
 * chassis: so its packets reach the guest wherever it runs; in other zones two names do nothing.
 */
export function portsIn(list: Readonly<Record<string, MemberWorkloadArgs>>, here: string): Record<string, WorkloadPortArgs> {
  return Object.fromEntries(Object.entries(list).map(([port, workload]) => [port, portAt(workload, placeIn(here, workload))]));
}

/** How a zone sees a workload: most of them in the same way. */
type Place = "here" | "coming" | "elsewhere";

function placeIn(here: string, { zone, migration }: MemberWorkloadArgs): Place {
  if (migration?.zone === here) return "coming";
  return zone === here ? "here" : "elsewhere";
}

function portAt({ zone: _zone, chassis, migration, portSecurity = true, ...entry }: MemberWorkloadArgs, place: Place): WorkloadPortArgs {
  if (place === "coming")
    return { ...entry, portSecurity, chassis: [chassis, migration!.chassis], ...(migration!.activation && { activation: migration!.activation }) };
  return { ...entry, portSecurity, ...(place === "elsewhere" && { remote: true }), chassis: [chassis] };
}

export const portsFromMembers: FromMembers = { argument: "ports", part: (list, zone) => portsIn(list as Parameters<typeof portsIn>[0], zone) };
