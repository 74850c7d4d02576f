import type { Failure } from "../../../kit/arguments/errors";
import { overlapsBetween, overlapsWithin } from "./overlaps";
import type { Failures } from "../../../kit/arguments/failures";
import { egressOf } from "./egress";
import type { ClusterFacts, NodeObject } from "../facts";
import { Findings } from "../findings";
import { NO_PREFIXES, type SelectedNetwork } from "./network";
import { isAuto } from "./select-networks";
import type { AdvertisementSpec } from "../spec";

/** Prefixes of a network that a node announces: at least one, sorted as text, without duplicates. */
export interface NetworkPrefixes {
  readonly network: SelectedNetwork;
  readonly prefixes: readonly string[];
}

/** Returns the prefixes that each node announces. */
export function prefixesByNode(
  spec: AdvertisementSpec,
  networks: readonly SelectedNetwork[],
  nodes: readonly NodeObject[],
  facts: ClusterFacts,
  failures: Failures,
): { readonly byNode: Map<string, NetworkPrefixes[]>; readonly warnings: readonly Failure[] } {
  const pods = spec.advertisements.includes("PodNetwork");
  const egress = spec.advertisements.includes("EgressIP") ? egressOf(networks, facts, failures) : undefined;
  const names = nodes.map(({ metadata }) => metadata.name);
  const [nowhere, lacking] = [new Findings(), new Findings()];
  for (const network of pods ? networks : []) {
    const without = names.filter((node) => network.subnetsOn(node) === undefined);
    const { path, label } = network;
    for (const node of without) {
      if (without.length === names.length) nowhere.add(node, { path, code: "no-subnet", message: `${label} has no subnet to announce` });
      else lacking.add(node, { path, code: "OVN_WARN_NOT_ANNOUNCED", message: `${label} has no subnet there yet, and is announced from the other nodes` });
    }
  }
  const byNode = new Map(
    nodes.map(({ metadata: { name } }) => {
      const found = networks.map((network) => {
        const own = (pods ? network.subnetsOn(name) : undefined) ?? NO_PREFIXES;
        if (!egress) return { network, prefixes: own.length > 1 ? inTextOrder(own) : own };
        return { network, prefixes: inTextOrder([...own, ...network.egressOn(name), ...(egress.get(network)?.get(name) ?? NO_PREFIXES)]) };
      });
      return [name, found.filter(({ prefixes }) => prefixes.length > 0)];
    }),
  );
  failures.addAll(nowhere.list);
  if (pods) {
    failures.addAll(networks.flatMap((network) => overlapsWithin(network, names)));
    // A VRF of its own separates a network's subnets from others.
    if (!isAuto(spec)) failures.addAll(overlapsBetween(networks, names));
  }
  return { byNode, warnings: lacking.list };
}

/** The order and the uniqueness that ovn-kubernetes gives its prefixes. */
export function inTextOrder(prefixes: readonly string[]): string[] {
  return [...new Set(prefixes)].sort();
}
