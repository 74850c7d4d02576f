import { formatPrefix, hostPrefix, parseIp, requireUse } from "../../../kit/address";
import type { Failures } from "../../../kit/arguments/failures";
import type { ClusterFacts, EgressIPObject } from "../facts";
import type { SelectedNetwork } from "./network";
import { selectorOf } from "../selector";

/** Egress addresses of a network by the node that holds them, as host prefixes. */
export type Egress = ReadonlyMap<SelectedNetwork, ReadonlyMap<string, readonly string[]>>;

/** Which egress addresses of the cluster serve which of the networks, and where they are. */
export function egressOf(networks: readonly SelectedNetwork[], { egressIPs, namespaces }: ClusterFacts, failures: Failures): Egress {
  const served = networks.map((network) => ({ network, namespaces: namespaces.filter(({ metadata }) => network.serves?.(metadata)) }));
  const found = new Map(networks.map((network) => [network, new Map<string, string[]>()]));
  for (const object of egressIPs) {
    const holders = holdersOf(object, failures);
    if (holders.length === 0) continue;
    const selects = failures.attempt("networkSelectors", () => selectorOf(object.spec.namespaceSelector));
    for (const { network, namespaces: own } of served) {
      if (!own.some(({ metadata }) => selects?.(metadata))) continue;
      const byNode = found.get(network)!;
      for (const { node, prefix } of holders) byNode.set(node, [...(byNode.get(node) ?? []), prefix]);
    }
  }
  return found;
}

/** Addresses that are on a node: one that waits for a node has none. */
function holdersOf({ status }: EgressIPObject, failures: Failures): { node: string; prefix: string }[] {
  return (status?.items ?? []).flatMap(({ node, egressIP }) => {
    if (!node || !egressIP) return [];
    const prefix = failures.attempt("advertisements", () => formatPrefix(hostPrefix(requireUse(parseIp(egressIP), "host"))));
    return prefix === undefined ? [] : [{ node, prefix }];
  });
}
