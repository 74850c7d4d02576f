import type { Failure, LooseArgs, LooseNetworkArgs } from "@pulumi-ovn/provider";
import { propertyPath } from "@pulumi-ovn/provider";
import { knownCheck, objectCheck } from "../plain";

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

/** Requires known values of the right type where they decide which resources exist: nodes, zones, further chassis and workloads. */
export function structureFailures(args: LooseArgs): Failure[] {
  const failures: Failure[] = [];
  const isKnown = knownCheck(WHY, failures);
  const isObject = objectCheck(WHY, failures);
  const zones = new Map<string, string>();
  if (isObject(args.nodes, "nodes")) {
    for (const [name, node] of Object.entries(args.nodes).sort(([a], [b]) => (a < b ? -1 : 1))) {
      if (!isObject(node, "nodes", name)) continue;
      const { zone = name, additionalChassis } = node;
      isKnown(zone, "nodes", name, "zone");
      const other = zones.get(String(zone));
      if (typeof zone === "string" && other !== undefined)
        failures.push({ path: propertyPath(["nodes", name, "zone"]), code: "duplicate", message: `zone ${zone} is already used by ${other}` });
      zones.set(String(zone), name);
      if (additionalChassis !== undefined && isObject(additionalChassis, "nodes", name, "additionalChassis")) {
        for (const [chassis, entry] of Object.entries(additionalChassis)) isObject(entry, "nodes", name, "additionalChassis", chassis);
      }
    }
  }
  if (args.workloads !== undefined) isObject(args.workloads, "workloads");
  return failures;
}

const WHY = "which resources there are depends on it; values inside of it can";
