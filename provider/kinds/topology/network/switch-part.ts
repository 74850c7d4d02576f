import { formatIp, formatPrefix } from "../../../kit/address";
import type { Layer2SwitchArgs } from "../layer2-switch";
import type { WorkloadPortsArgs } from "../workload-ports";
import { type ResolvedNetwork, type ResolvedNode, common } from "./resolve";

/** The ports of a zone's workloads, but for the list. */
export function workloadsArgs(network: ResolvedNetwork, node: ResolvedNode): Omit<WorkloadPortsArgs, "ports"> {
  return { ...common(network, node), switch: network.names.switch };
}

/** The switch of a zone. */
export function switchArgs(network: ResolvedNetwork, node: ResolvedNode): Layer2SwitchArgs {
  const { spec, names, management } = network;
  return {
    ...common(network, node),
    name: names.switch,
    subnets: network.subnets.map(formatPrefix),
    interconnect: true,
    ...(spec.tunnelKeys && { tunnelKey: spec.tunnelKeys.switch }),
    ...(spec.multicast && { multicast: spec.multicast }),
    ...(management && {
      managementPort: {
        name: names.managementPort(node.name),
        addresses: management.addresses.map(formatIp),
        mac: management.mac,
        tunnelKey: network.portKeys.management,
      },
      aclFromManagement: spec.management!.acl,
    }),
  };
}
