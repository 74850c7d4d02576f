import { formatIp, formatPrefix, ofFamily } from "../../address";
import type { WorkloadPortArgs, WorkloadPortsArgs } from "../workload-ports";
import { type ResolvedNetwork, type ResolvedNode, type ResolvedWorkload, common } from "./resolve";

export interface WorkloadPlan {
  readonly node: string;
  /** As given. */
  readonly chassis?: string;
  /** The node that a migration under way leads to, unless it is the same. */
  readonly migratesTo?: string;
  readonly portName: string;
  /** With the masks of the subnets. */
  readonly addresses: readonly string[];
  readonly mac: string;
  readonly tunnelKey: number;
}

/** The workloads as the zone of a node sees them. */
export function workloadsArgs(network: ResolvedNetwork, node: ResolvedNode): WorkloadPortsArgs | undefined {
  if (network.workloads.length === 0) return undefined;
  const chassis = new Map(network.nodes.map((other) => [other.name, other.chassis]));
  const ports = network.workloads.map((workload) => {
    const { portName, addresses, mac, tunnelKey, spec } = workload;
    const port = { addresses: addresses.map(formatIp), mac, tunnelKey: tunnelKey!, portSecurity: spec.portSecurity };
    return [portName, { ...port, ...place(workload, node, chassis) }] as const;
  });
  return { ...common(network, node), switch: network.names.switch, ports: Object.fromEntries(ports) };
}

/**
 * Where the port is, in the eyes of a node's zone. A port of its own asks for its chassis by name: it may come from
 * another zone, and then has that one's chassis until it is told otherwise. While a workload is on its way, the zone that
 * it goes to has it on both chassis: so its packets reach the guest wherever it runs; in other zones two names do nothing.
 */
function place({ spec: { node: from, chassis, migration } }: ResolvedWorkload, { name }: ResolvedNode, own: ReadonlyMap<string, string>): Partial<WorkloadPortArgs> {
  const source = chassis ?? own.get(from)!;
  if (migration?.to === name) return { chassis: [source, migration.chassis ?? own.get(name)!], ...(migration.activation && { activation: migration.activation }) };
  return { ...(from !== name && { remote: true }), chassis: [source] };
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
