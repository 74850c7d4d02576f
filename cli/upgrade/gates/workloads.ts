import { listed } from "../../texts";
import type { Network } from "../network";
import type { ZoneSnapshot } from "../snapshot";
import type { Finding } from "./finding";

/**
 * Nodes that move must have no workloads on the network: ports of the switch that are bound to any chassis of its zone, also to one that only
 * another stack, or a person, knows of. (OKEP-5094)
 */
export function workloadFindings({ nodes, switchName, managementPorts }: Network, moves: readonly string[], zones: readonly ZoneSnapshot[]): Finding[] {
  return nodes.flatMap(({ name, zone }): Finding[] => {
    if (!moves.includes(name)) return [];
    const { ports = [], chassis = [] } = zones.find((snapshot) => snapshot.zone === zone) ?? {};
    const local = new Set(chassis.flatMap(({ name, remote }) => (remote ? [] : [name])));
    const loaded = ports
      .filter(
        (port) =>
          port.datapath === switchName && port.type === "" && port.chassis !== undefined && local.has(port.chassis) && !managementPorts.includes(port.name),
      )
      .map((port) => port.name);
    if (loaded.length === 0) return [];
    return [
      {
        gate: "workloads",
        where: `node ${name}`,
        problem: `${loaded.length === 1 ? "a workload is" : `${loaded.length} workloads are`} on it: ${listed(loaded.sort())}`,
        remedy: "move them to other nodes, or pass --loaded to move the node with its workloads running",
      },
    ];
  });
}
