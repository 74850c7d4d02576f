import { rowKindOfType, typeToken } from "@pulumi-ovn/provider";
import type { Connections, DatabaseName } from "@pulumi-ovn/provider/targets";
import { CommandError } from "../command";
import type { Plan, PlannedResource, Side } from "../plan/plan";
import { ClusterTarget } from "./cluster-target";
import { DatabaseTarget } from "./database-target";
import type { ApplyTarget } from "./target";

/** Name of a target. A host is its Open vSwitch database, with flows and files. */
export type TargetRef =
  | { readonly kind: "zone"; readonly name: string; readonly database: DatabaseName }
  | { readonly kind: "host"; readonly name: string; readonly database: "Open_vSwitch" }
  | { readonly kind: "cluster"; readonly name: string; readonly database?: undefined };

/** Targets that a plan changes, in the order of its first changes. Throws a CommandError for targets that can't be undone. Pure. */
export function targetsOf(plan: Plan): TargetRef[] {
  const found = new Map<string, TargetRef>();
  const other: string[] = [];
  for (const resource of plan.resources) {
    if (resource.operation === "same" || !hasDigest(resource)) continue;
    for (const side of [resource.before, resource.after]) {
      if (!side) continue;
      const ref = refOf(resource, side);
      if (ref) found.set(JSON.stringify(ref), ref);
      else other.push(`${resource.kind} "${resource.name}"`);
    }
  }
  if (other.length > 0)
    throw new CommandError(
      "OVN_APPLY_TARGET",
      `the target of ${[...new Set(other)].join(", ")} is not known before the update, so its change can't be undone; change these by an update of their own, or leave out --revert-in`,
    );
  return [...found.values()];
}

function refOf({ kind }: PlannedResource, { place }: Side): TargetRef | undefined {
  if (place?.kind === "host") return { kind: "host", name: place.name, database: "Open_vSwitch" };
  if (place?.kind === "cluster") return { kind: "cluster", name: place.name };
  const rows = rowKindOfType(typeToken(kind));
  return rows && place?.kind === "zone" ? { kind: "zone", name: place.name, database: rows.database } : undefined;
}

function hasDigest({ before, after }: PlannedResource): boolean {
  return [before, after].some((side) => side?.state.inputs.digest !== undefined);
}

export async function openTarget(targets: Connections, { kind, name, database }: TargetRef): Promise<ApplyTarget> {
  if (kind === "cluster") return new ClusterTarget(targets.cluster(name), name);
  const isHost = kind === "host" || !Object.hasOwn(targets.zones, name);
  requireDatabase(targets, isHost, name);
  const client = await targets.unguarded(name, database);
  return new DatabaseTarget(client, database, {
    title: `${database} of ${isHost ? "host" : "zone"} "${name}"`,
    place: { [isHost ? "host" : "zone"]: name, database },
    endpoint: targets.endpoints(name, database),
    host: isHost ? targets.host(name) : undefined,
  });
}

function requireDatabase(targets: Connections, isHost: boolean, name: string): void {
  if (isHost && targets.host(name).openvswitch === undefined)
    throw new CommandError(
      "OVN_APPLY_TARGET",
      `the undo of flows is laid down in the host's database: set hosts.${name}.openvswitch in the file of targets, or leave out --revert-in`,
    );
}

/** All targets in the file of targets. A host's database that is a zone's, too, is in the list once, as the host's. */
export function configuredTargets({ zones, hosts, clusters }: Connections): TargetRef[] {
  const ofHosts = Object.entries(hosts).flatMap(([name, { openvswitch }]) =>
    openvswitch === undefined ? [] : [{ ref: { kind: "host", name, database: "Open_vSwitch" } as const, openvswitch }],
  );
  const known = new Set(ofHosts.map(({ openvswitch }) => openvswitch));
  return [
    ...Object.entries(zones).flatMap(([name, { northbound, southbound, openvswitch }]): TargetRef[] => [
      ...(northbound === undefined ? [] : [{ kind: "zone", name, database: "OVN_Northbound" } as const]),
      ...(southbound === undefined ? [] : [{ kind: "zone", name, database: "OVN_Southbound" } as const]),
      ...(openvswitch === undefined || known.has(openvswitch) ? [] : [{ kind: "zone", name, database: "Open_vSwitch" } as const]),
    ]),
    ...ofHosts.map(({ ref }) => ref),
    ...Object.keys(clusters).map((name) => ({ kind: "cluster", name }) as const),
  ];
}

export const titleOf = ({ kind, name, database }: TargetRef): string => `${database === undefined ? "" : `${database} of `}${kind} "${name}"`;
