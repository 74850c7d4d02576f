import { kindOfType, rowKindOfType, TYPE_PREFIX } from "@pulumi-ovn/provider";
import type { Connections, DatabaseName, Host } from "@pulumi-ovn/provider/targets";
import { CommandError } from "../command";
import type { Plan } from "../plan/plan";
import type { State } from "../plan/preview";
import { partsOf } from "../plan/steps";
import { targetKind, targetName } from "../plan/target";
import { ClusterTarget } from "./cluster-target";
import { DatabaseTarget } from "./database-target";
import type { ApplyTarget } from "./target";

/** Name of a target. A host is its Open vSwitch database, with flows and files. */
export type TargetRef =
  | ZoneRef
  | { readonly kind: "host"; readonly name: string; readonly database: "Open_vSwitch" }
  | { readonly kind: "cluster"; readonly name: string; readonly database?: undefined };

interface ZoneRef {
  readonly kind: "zone";
  readonly name: string;
  readonly database: DatabaseName;
}

type ConfiguredTargets = Pick<Connections, "zones" | "hosts">;

/** A changing resource, with its inputs before and after. */
export interface Changing {
  readonly urn: string;
  readonly sides: readonly (Pick<State, "inputs"> | undefined)[];
}

/** Resources that a plan changes. */
export const changingIn = ({ resources }: Plan): Changing[] =>
  resources.filter(({ operation }) => operation !== "same").map(({ urn, before, after }) => ({ urn, sides: [before?.state, after?.state] }));

/** Targets of changes, in the order of the first change of each. Throws a CommandError for targets that can't be undone. Pure. */
export function targetsOf(changes: readonly Changing[], configured: ConfiguredTargets): TargetRef[] {
  const found = new Map<string, TargetRef>();
  const other: string[] = [];
  for (const { urn, sides } of changes) {
    const { type, name } = partsOf(urn);
    // Pools, lists and waits have no digest: they are in the state only.
    if (!type.startsWith(TYPE_PREFIX) || !sides.some((side) => side?.inputs.digest !== undefined)) continue;
    for (const side of sides) {
      if (!side) continue;
      const ref = refOf(type, side, configured);
      if (ref) found.set(titleOf(ref), ref);
      else other.push(`${kindOfType(type)} "${name}"`);
    }
  }
  if (other.length > 0)
    throw new CommandError(
      "OVN_APPLY_TARGET",
      `the target of ${[...new Set(other)].join(", ")} is not known before the update, so its change can't be undone; change these by an update of their own, or leave out --revert-in`,
    );
  return [...found.values()];
}

function refOf(type: string, side: Pick<State, "inputs">, configured: ConfiguredTargets): TargetRef | undefined {
  const kind = targetKind(side);
  const name = targetName(side, kind);
  if (name === undefined) return undefined;
  if (kind === "host") return { kind, name, database: "Open_vSwitch" };
  if (kind === "cluster") return { kind, name };
  const rows = rowKindOfType(type);
  return rows && ofHost({ kind, name, database: rows.database }, configured);
}

/** A host's database is one target, also for rows that are written by the name of a zone. */
function ofHost(ref: ZoneRef, { zones, hosts }: ConfiguredTargets): TargetRef {
  if (ref.database !== "Open_vSwitch") return ref;
  const endpoint = zones[ref.name]?.openvswitch;
  const isSame = ([name, host]: [string, Host]) => host.openvswitch !== undefined && (name === ref.name || host.openvswitch === endpoint);
  const [name] = Object.entries(hosts).find(isSame) ?? [];
  return name === undefined ? ref : { kind: "host", name, database: "Open_vSwitch" };
}

export async function openTarget(targets: Connections, ref: TargetRef): Promise<ApplyTarget> {
  const { kind, name, database } = ref;
  if (kind === "cluster") return new ClusterTarget(targets.cluster(name), name);
  const host = kind === "host" ? targets.host(name) : undefined;
  if (host) requireDatabase(name, host);
  const client = await targets.unguarded(name, database);
  return new DatabaseTarget(client, database, { title: titleOf(ref), names: { [kind]: name, database }, endpoint: targets.endpoints(name, database), host });
}

function requireDatabase(name: string, { openvswitch }: Host): void {
  if (openvswitch === undefined)
    throw new CommandError(
      "OVN_APPLY_TARGET",
      `the undo of flows is laid down in the host's database: set hosts.${name}.openvswitch in the file of targets, or leave out --revert-in`,
    );
}

/** All targets in the file of targets. A host's database that is a zone's, too, is in the list once, as the host's. */
export function configuredTargets(configured: Pick<Connections, "zones" | "hosts" | "clusters">): TargetRef[] {
  const ofZones = Object.entries(configured.zones).flatMap(([name, zone]): ZoneRef[] => [
    ...(zone.northbound === undefined ? [] : [{ kind: "zone", name, database: "OVN_Northbound" } as const]),
    ...(zone.southbound === undefined ? [] : [{ kind: "zone", name, database: "OVN_Southbound" } as const]),
    ...(zone.openvswitch === undefined ? [] : [{ kind: "zone", name, database: "Open_vSwitch" } as const]),
  ]);
  return [
    ...ofZones.filter((ref) => ofHost(ref, configured) === ref),
    ...Object.entries(configured.hosts).flatMap(([name, { openvswitch }]): TargetRef[] =>
      openvswitch === undefined ? [] : [{ kind: "host", name, database: "Open_vSwitch" }],
    ),
    ...Object.keys(configured.clusters).map((name) => ({ kind: "cluster", name }) as const),
  ];
}

export const titleOf = ({ kind, name, database }: TargetRef): string => `${database === undefined ? "" : `${database} of `}${kind} "${name}"`;
