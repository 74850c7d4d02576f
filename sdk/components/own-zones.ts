import { type Failure, propertyPath } from "@pulumi-ovn/provider";
import { isLater } from "../plain";

/** Reports `zones` that do not name zones of the nodes. */
export function ownZoneFailures(zones: unknown, nodes: unknown): Failure[] {
  if (zones === undefined) return [];
  if (isLater(zones)) return [{ path: "zones", code: "plain", message: "can't be an output: which resources there are depends on it" }];
  if (!Array.isArray(zones) || zones.length === 0) return [{ path: "zones", code: "invalid_type", message: "is a list of at least one zone" }];
  const all = zonesOf(nodes);
  return zones.flatMap((zone: unknown, index) =>
    all.has(zone) ? [] : [{ path: propertyPath(["zones", index]), code: "unknown-zone", message: `no node is in zone ${JSON.stringify(zone)}` }],
  );
}

/** Zones of the nodes as given; entries that are not objects are refused elsewhere. */
function zonesOf(nodes: unknown): Set<unknown> {
  if (typeof nodes !== "object" || nodes === null || isLater(nodes)) return new Set();
  return new Set(Object.entries(nodes).map(([name, node]) => (node as { readonly zone?: unknown } | null | undefined)?.zone ?? name));
}
