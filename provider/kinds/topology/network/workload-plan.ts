import { formatPrefix, ofFamily } from "../../../kit/address";
import type { ResolvedNetwork, ResolvedWorkload } from "./resolve";

export interface WorkloadPlan {
  readonly node: string;
  /** As given. */
  readonly chassis?: string;
  /** The node that a migration in progress leads to, unless it is the same. */
  readonly migratesTo?: string;
  readonly portName: string;
  /** With the masks of the subnets. */
  readonly addresses: readonly string[];
  readonly mac: string;
  readonly tunnelKey: number;
}

export function workloadPlan(network: ResolvedNetwork, { spec, portName, addresses, mac, tunnelKey }: ResolvedWorkload): WorkloadPlan {
  const withMask = addresses.map((address) => formatPrefix({ ...address, length: ofFamily(network.subnets, address.family)!.length }));
  const { migration } = spec;
  return {
    node: spec.node,
    ...(spec.chassis !== undefined && { chassis: spec.chassis }),
    ...(migration && migration.to !== spec.node && { migratesTo: migration.to }),
    portName,
    addresses: withMask,
    mac,
    tunnelKey: tunnelKey!,
  };
}
