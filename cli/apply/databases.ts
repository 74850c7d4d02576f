import { rowKindOfType, typeToken } from "@pulumi-ovn/provider";
import type { OvsdbClient } from "@pulumi-ovn/ovsdb-client";
import { type Connections, type DatabaseName, rootTable } from "@pulumi-ovn/provider/targets";
import { CommandError } from "../command";
import type { Plan, PlannedResource } from "../plan/plan";

/** A database that an apply changes. */
export interface Database {
  readonly zone: string;
  readonly name: DatabaseName;
  readonly endpoint: string;
  /** For people. */
  readonly title: string;
  /** Table with the record of the apply. */
  readonly root: string;
  /** Writes also while an apply is pending. */
  readonly client: OvsdbClient;
}

export interface DatabaseRef {
  readonly zone: string;
  readonly name: DatabaseName;
}

/** Databases that a plan changes, in the order of its first changes. Throws a CommandError for targets that can't be undone. Pure. */
export function databasesOf(plan: Plan): DatabaseRef[] {
  const found = new Map<string, DatabaseRef>();
  const other: string[] = [];
  for (const resource of plan.resources) {
    if (resource.operation === "same" || !hasDigest(resource)) continue;
    const kind = rowKindOfType(typeToken(resource.kind));
    for (const side of [resource.before, resource.after]) {
      if (!side) continue;
      if (kind && side.place?.kind === "zone") found.set(`${side.place.name} ${kind.database}`, { zone: side.place.name, name: kind.database });
      else other.push(`${resource.kind} "${resource.name}"`);
    }
  }
  if (other.length > 0)
    throw new CommandError(
      "OVN_APPLY_TARGET",
      `only rows of zones can be undone, and the plan changes ${[...new Set(other)].join(", ")}; change these by an update of their own, or leave out --revert-in`,
    );
  return [...found.values()];
}

function hasDigest({ before, after }: PlannedResource): boolean {
  return [before, after].some((side) => side?.state.inputs.digest !== undefined);
}

export async function openDatabase(targets: Connections, { zone, name }: DatabaseRef): Promise<Database> {
  const client = await targets.unguarded(zone, name);
  return { zone, name, endpoint: targets.endpoints(zone, name), title: `${name} of zone "${zone}"`, root: rootTable(name), client };
}

/** All databases of zones in the file of targets. */
export function configuredDatabases(targets: Connections): DatabaseRef[] {
  return Object.entries(targets.zones).flatMap(([zone, { northbound, southbound, openvswitch }]) => [
    ...(northbound === undefined ? [] : [{ zone, name: "OVN_Northbound" } as const]),
    ...(southbound === undefined ? [] : [{ zone, name: "OVN_Southbound" } as const]),
    ...(openvswitch === undefined ? [] : [{ zone, name: "Open_vSwitch" } as const]),
  ]);
}
