import { type Decoded, map, elements, text, zoneRows } from "../../zone-rows";
import type { Shadow } from "../shadow/shadow";
import type { Path, Step } from "../types";

/** Something that decides about packets and that a simulation does not have. */
export interface Undecided {
  /** Whether the packets of a path depend on it. */
  readonly isMet: (path: Pick<Path, "steps">) => boolean;
  readonly why: string;
  /** Whether the answer is not known. Otherwise `why` names an assumption. */
  readonly isOpen: (path: Pick<Path, "outcome">) => boolean;
}

const NORTHBOUND = {
  Logical_Router: ["name", "options"],
  Logical_Router_Static_Route: ["_uuid", "nexthop", "bfd"],
  Logical_Router_Policy: ["_uuid", "nexthops", "bfd_sessions"],
  Load_Balancer: ["_uuid", "name", "health_check"],
} as const;

const always = () => true;
const never = () => false;

/**
 * State of a zone that only its chassis and its live databases know.
 * @param learning names of the switches that learn addresses
 */
export async function readUndecided({ connections, zone }: Shadow, learning: readonly string[]): Promise<Undecided[]> {
  const north = await zoneRows(connections, zone, "OVN_Northbound", NORTHBOUND);
  const watched = [
    ...north.Logical_Router_Static_Route.filter(({ bfd }) => elements(bfd).length > 0).map((row) => ({ row, hops: [text(row.nexthop)!] })),
    ...north.Logical_Router_Policy.filter((row) => elements(row.bfd_sessions).length > 0).map((row) => ({ row, hops: elements(row.nexthops) })),
  ];
  return [
    ...watched.map(({ row, hops }) => assumedFor(row, `the BFD session with ${[...hops].sort().join(", ")} is assumed to be up`)),
    ...north.Load_Balancer.filter((row) => elements(row.health_check).length > 0).map((row) =>
      assumedFor(row, `the backends of load balancer ${row.name as string}, which has health checks, are assumed to be online`),
    ),
    ...north.Logical_Router.filter(({ options }) => map(options)["dynamic-routing"] === "true").map(({ name }) => learnedRoutes(zone, name as string)),
    ...learning.map((name) => learnedAddresses(zone, name)),
  ];
}

/** For packets that flows of a row decide about. */
function assumedFor({ _uuid }: Decoded, why: string): Undecided {
  const hint = (_uuid as string).slice(0, 8);
  return { isMet: ({ steps }) => steps.some((step) => step.hint === hint), why, isOpen: never };
}

function learnedRoutes(zone: string, router: string): Undecided {
  const isRouted = (step: Step) => step.zone === zone && step.datapath === router && step.stage === "lr_in_ip_routing";
  return {
    isMet: ({ steps }) => steps.some(isRouted),
    why: `routes that ${router} in zone ${zone} learns (dynamic-routing) are not known without --live`,
    isOpen: ({ outcome }) => outcome.kind === "lost",
  };
}

function learnedAddresses(zone: string, on: string): Undecided {
  const isFlooded = (step: Step) => step.zone === zone && step.datapath === on && step.stage === "ls_in_l2_unknown" && step.priority > 0;
  return {
    isMet: ({ steps }) => steps.some(isFlooded),
    why: `the ports of MAC addresses that ${on} in zone ${zone} learns (FDB) are not known without --live`,
    isOpen: always,
  };
}
