import { type Prefix, joinAddress, largestJoinId, largestTransitId, transitPair } from "../../kit/address";
import type { Failures } from "../../kit/arguments/failures";

/** A subnet, and the path of the argument that it came from. */
export interface GivenSubnet {
  readonly path: string;
  readonly prefix: Prefix;
}

export interface GivenNode {
  /** Asked for where there is a failure. */
  readonly path: () => string;
  readonly id: number;
}

/**
 * Checks that every node has addresses in the subnets. A subnet too small for any node is reported at that argument,
 * an id beyond its end at the node.
 */
export function checkNodeAddresses(joins: readonly GivenSubnet[], transits: readonly GivenSubnet[], nodes: readonly GivenNode[], failures: Failures): void {
  for (const [subnets, address, largest] of [
    [joins, joinAddress, largestJoinId],
    [transits, transitPair, largestTransitId],
  ] as const) {
    for (const { path, prefix } of subnets) {
      const last = largest(prefix);
      if (last < 1n) failures.attempt(path, () => address(prefix, 1));
      else for (const node of nodes) if (node.id > last) failures.attempt(node.path(), () => address(prefix, node.id));
    }
  }
}
