import { overlapsBetween } from "./overlaps";
import type { Failures } from "../topology/failures";
import { egressOf } from "./egress";
import type { ClusterFacts, NodeObject } from "./facts";
import { Findings } from "./findings";
import { NO_PREFIXES, type SelectedNetwork } from "./network";
import { isAuto } from "./select-networks";
import type { AdvertisementSpec } from "./spec";

/** What a node has to announce of a network: at least one prefix, in order of their text, each once. */
export interface NetworkPrefixes {
  readonly network: SelectedNetwork;
  readonly prefixes: readonly string[];
}

/** What each node has to announce. */
export function prefixesByNode(
  spec: AdvertisementSpec,
  networks: readonly SelectedNetwork[],
  nodes: readonly NodeObject[],
  facts: ClusterFacts,
  failures: Failures,
): Map<string, NetworkPrefixes[]> {
  const pods = spec.advertisements.includes("PodNetwork");
  const egress = spec.advertisements.includes("EgressIP") ? egressOf(networks, facts, failures) : undefined;
  const findings = new Findings();
  const subnets = (network: SelectedNetwork, node: string): readonly string[] => {
    const own = network.subnetsOn(node);
    if (own === undefined) findings.add(node, { path: network.path, code: "no-subnet", message: `${network.label} has no subnet to announce` });
    return own ?? NO_PREFIXES;
  };
  const byNode = new Map(
    nodes.map(({ metadata: { name } }) => {
      const found = networks.map((network) => {
        const own = pods ? subnets(network, name) : NO_PREFIXES;
        if (!egress) return { network, prefixes: own.length > 1 ? inTextOrder(own) : own };
        return { network, prefixes: inTextOrder([...own, ...network.egressOn(name), ...(egress.get(network)?.get(name) ?? NO_PREFIXES)]) };
      });
      return [name, found.filter(({ prefixes }) => prefixes.length > 0)];
    }),
  );
  failures.addAll(findings.list);
  // A VRF of its own keeps a network apart from the others', whatever their subnets are.
  if (pods && !isAuto(spec))
    failures.addAll(
      overlapsBetween(
        networks,
        nodes.map(({ metadata }) => metadata.name),
      ),
    );
  return byNode;
}

/** The order and the uniqueness that ovn-kubernetes gives its prefixes. */
export function inTextOrder(prefixes: readonly string[]): string[] {
  return [...new Set(prefixes)].sort();
}
