import { type Family, type Prefix, formatIp, formatPrefix, joinAddress, parsePrefix } from "../../../kit/address";
import type { GatewayRouterArgs } from "../gateway-router";
import { sortedEntries } from "../../../kit/entries";
import { advertisedArgs } from "./advertised";
import { type ResolvedNetwork, type ResolvedNode, common } from "./resolve";
import { translatesOutsideOnly } from "./upgrade";

/** A node's gateway router. */
export function gatewayRouterArgs(network: ResolvedNetwork, node: ResolvedNode): GatewayRouterArgs {
  const { spec, names, masquerade, subnets } = network;
  const { bridge, networkName, vlan, mac, addresses, nextHops } = node.spec.external;
  const translatable: readonly { family: Family }[] = masquerade?.gateways ?? addresses.map(parsePrefix);
  const inside = (prefix: Prefix) => translatable.some(({ family }) => family === prefix.family);
  return {
    ...common(network, node),
    name: names.gatewayRouter(node.name),
    chassis: node.chassis,
    external: {
      switchName: names.externalSwitch(node.name),
      localnetPortName: names.localnetPort(bridge, node.name),
      networkName,
      addresses,
      nextHops,
      ...(vlan !== undefined && { vlan }),
      ...(mac !== undefined && { mac }),
    },
    ...furtherExternalsArgs(network, node),
    joinAddresses: network.joins.map((join) => formatIp(joinAddress(join, node.spec.id))),
    ...(translatesOutsideOnly(network) && { snatOutsideOnly: true }),
    ...advertisedArgs(network, node),
    snatSubnets: spec.snat ? subnets.filter(inside).map(formatPrefix) : [],
    ...(spec.snatPorts !== undefined && { snatPorts: spec.snatPorts }),
    ...(spec.gatewayRouterCtCommitAll && { ctCommitAll: true }),
    ...(masquerade && { masquerade: { subnets: masquerade.subnets.map(formatPrefix), addresses: masquerade.gateways.map(formatIp) } }),
    ...(spec.neighbors && { neighbors: spec.neighbors }),
  };
}

function furtherExternalsArgs({ names }: ResolvedNetwork, { name, spec }: ResolvedNode): Pick<GatewayRouterArgs, "furtherExternals"> {
  const further = sortedEntries(spec.furtherExternals);
  if (further.length === 0) return {};
  const named = (key: string) => ({ switchName: names.furtherExternalSwitch(key, name), localnetPortName: names.furtherLocalnetPort(key, name) });
  return {
    furtherExternals: Object.fromEntries(
      further.map(([key, { networkName, vlan, mac, mtu, ...rest }]) => [
        key,
        {
          ...named(key),
          ...(networkName !== undefined && { networkName }),
          ...(vlan !== undefined && { vlan }),
          ...(mac !== undefined && { mac }),
          ...(mtu !== undefined && { mtu }),
          ...rest,
        },
      ]),
    ),
  };
}
