import { type NamedSubnet, contains, formatPrefix, networkOf, parsePrefix } from "../../../kit/address";
import { type Failures, propertyPath } from "../../../kit/arguments/failures";
import { readPrefix } from "../fields";
import { furtherFailures } from "../gateway-router/further-check";
import { sortedEntries } from "../../../kit/entries";
import type { ResolvedNetwork, ResolvedNode } from "./resolve";

type FurtherExternals = ResolvedNode["spec"]["furtherExternals"];

/** Subnets outside, for the comparison with the network's own ones; those of one node are compared with each other elsewhere. */
export function furtherSubnets(node: string, further: FurtherExternals): NamedSubnet[] {
  return sortedEntries(further).flatMap(([key, { addresses }]) =>
    addresses.map((address, index) => ({
      name: `external network "${key}" of ${node}`,
      path: propertyPath(["nodes", node, "furtherExternals", key, "addresses", index]),
      prefix: networkOf(parsePrefix(address)),
      group: "outside",
    })),
  );
}

export function checkFurtherExternals({ spec, nodes, subnets, joins, transits }: ResolvedNetwork, failures: Failures): void {
  const inside = [...subnets, ...joins, ...transits];
  for (const {
    name,
    spec: { external, furtherExternals },
  } of nodes) {
    const path = ["nodes", name, "furtherExternals"];
    failures.addAll(furtherFailures(external, furtherExternals, path));
    if (spec.gatewayMode === "local" && Object.keys(furtherExternals).length > 0) {
      failures.add(propertyPath(path), "value", 'have no meaning for gateway mode "local": everything leaves through the host, whose routes decide where to');
    }
    for (const [key, { routes }] of sortedEntries(furtherExternals)) {
      for (const [route, { prefix }] of sortedEntries(routes)) {
        const own = inside.find((subnet) => contains(subnet, readPrefix(prefix)) && subnet.length <= readPrefix(prefix).length);
        if (own)
          failures.add(
            propertyPath([...path, key, "routes", route, "prefix"]),
            "overlap",
            `${prefix} is in the network's own ${formatPrefix(own)}: answers to workloads would leave by this route`,
          );
      }
    }
  }
}
