import type { Failure, LooseArgs, LooseNetworkArgs } from "@pulumi-ovn/provider";
import { propertyPath } from "@pulumi-ovn/provider";
import { knownCheck } from "../plain";

/** The zone of a node. */
export function zoneOf({ nodes }: LooseNetworkArgs, node: string): string {
  return (nodes[node]!.zone as string | undefined) ?? node;
}

/** Whether a zone gets remote chassis. Tunnel addresses that are an output count. */
export function hasRemoteChassis({ nodes }: LooseNetworkArgs, node: string): boolean {
  const has = (addresses: unknown) => addresses !== undefined && !(Array.isArray(addresses) && addresses.length === 0);
  return Object.entries(nodes).some(
    ([name, { tunnelAddresses, additionalChassis = {} }]) =>
      name !== node &&
      [tunnelAddresses, ...Object.values(additionalChassis as Record<string, { tunnelAddresses?: unknown }>).map((further) => further.tunnelAddresses)].some(
        has,
      ),
  );
}

/** Requires known values where they decide which resources exist: names of nodes, zones, further chassis and workloads. */
export function structureFailures(args: LooseArgs): Failure[] {
  const failures: Failure[] = [];
  const isKnown = knownCheck("which resources there are depends on it; values inside of it can", failures);
  const zones = new Map<string, string>();
  if (isKnown(args.nodes, "nodes")) {
    for (const [name, node] of Object.entries(args.nodes).sort(([a], [b]) => (a < b ? -1 : 1))) {
      if (!isKnown(node, "nodes", name)) continue;
      const { zone = name, additionalChassis } = node;
      isKnown(zone, "nodes", name, "zone");
      const other = zones.get(String(zone));
      if (typeof zone === "string" && other !== undefined)
        failures.push({ path: propertyPath(["nodes", name, "zone"]), code: "duplicate", message: `zone ${zone} is already used by ${other}` });
      zones.set(String(zone), name);
      if (isKnown(additionalChassis, "nodes", name, "additionalChassis")) {
        for (const [chassis, entry] of Object.entries(additionalChassis)) isKnown(entry, "nodes", name, "additionalChassis", chassis);
      }
    }
  }
  isKnown(args.workloads, "workloads");
  return failures;
}
