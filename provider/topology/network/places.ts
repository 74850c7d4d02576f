import { formatIp } from "../../address";
import type { WorkloadPortArgs, WorkloadPortsArgs } from "../workload-ports";
import { type ResolvedNetwork, type ResolvedNode, type ResolvedWorkload, common } from "./resolve";

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
 * Where the port is, in the eyes of a node's zone. A port of its own asks for the zone's chassis by name: it may come from
 * another zone, and then has that one's chassis until it is told otherwise. While a workload is on its way, the zone that
 * it goes to has it on both chassis: so its packets reach the guest wherever it runs; in other zones two names do nothing.
 */
function place({ spec: { node: from, migration } }: ResolvedWorkload, { name }: ResolvedNode, chassis: ReadonlyMap<string, string>): Partial<WorkloadPortArgs> {
  const own = chassis.get(name)!;
  if (from === name) return { chassis: [own] };
  const source = chassis.get(from)!;
  if (migration?.to !== name) return { remote: true, chassis: [source] };
  return { chassis: [source, own], ...(migration.activation && { activation: migration.activation }) };
}
