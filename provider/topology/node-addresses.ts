import { type Prefix, joinAddress, largestJoinId, largestTransitId, transitPair } from "../address";
import type { Failures } from "./failures";

/** A subnet, and the path of the argument that it came from. */
export interface GivenSubnet {
  readonly path: string;
  readonly prefix: Prefix;
}

/** Whether every node has addresses in the subnets: a subnet for none is that argument's failure, an id beyond its end the node's. */
export function checkNodeAddresses(joins: readonly GivenSubnet[], transits: readonly GivenSubnet[], nodes: readonly { readonly path: string; readonly id: number }[], failures: Failures): void {
  for (const [subnets, address, largest] of [[joins, joinAddress, largestJoinId], [transits, transitPair, largestTransitId]] as const) {
    for (const { path, prefix } of subnets) {
      if (largest(prefix) < 1n) failures.attempt(path, () => address(prefix, 1));
      else for (const node of nodes) failures.attempt(node.path, () => address(prefix, node.id));
    }
  }
}
