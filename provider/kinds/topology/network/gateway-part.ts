import { formatIp, formatPrefix, networkOf, ofFamily, parsePrefix, sizeOf } from "../../../kit/address";
import type { Layer2GatewayArgs } from "../layer2-gateway";
import { ownPortKeys } from "../own-port-keys";
import { type ResolvedNetwork, type ResolvedNode, common } from "./resolve";
import { unusedAddress } from "./upgrade";

/** Arguments of the part between the switch and the gateway router of a zone, without the list of nodes. */
export function gatewayArgs(network: ResolvedNetwork, node: ResolvedNode): Omit<Layer2GatewayArgs, "nodes"> {
  const { spec, names, management, masquerade } = network;
  const announceTo = spec.upgrade === "announce" ? unusedAddress(network) : undefined;
  return {
    ...common(network, node),
    network: spec.name,
    switch: names.switch,
    switchName: names.switch,
    gatewayRouter: names.gatewayRouter(node.name),
    node: node.name,
    ...ownKeysArgs(network),
    ...(spec.upgrade !== undefined && { upgrade: spec.upgrade }),
    ...(announceTo !== undefined && { announceTo }),
    subnets: network.subnets.map(formatPrefix),
    transitSubnets: network.transits.map(formatPrefix),
    joinSubnets: network.joins.map(formatPrefix),
    gateway: { addresses: network.gateways.map(formatPrefix), mac: network.gatewayMac },
    mtu: spec.mtu,
    gatewayMtu: spec.mtu,
    ctCommitAll: spec.ctCommitAll,
    gatewayMode: spec.gatewayMode,
    ...(spec.advertised?.importRoutes && { importsRoutes: true }),
    ...(spec.gatewayMode === "local" && { hostSubnets: hostSubnets(node) }),
    ...(spec.tunnelKeys && { tunnelKey: spec.tunnelKeys.router }),
    ...(spec.routerAdvertisements && { routerAdvertisements: spec.routerAdvertisements }),
    ...(management && {
      management: {
        addresses: management.addresses.map(formatIp),
        mac: management.mac,
        masqueradeAddresses: masquerade?.managements.filter(({ family }) => ofFamily(network.subnets, family)).map(formatIp) ?? [],
        ...(spec.snatPorts !== undefined && { snatPorts: spec.snatPorts }),
        hostAddresses: node.spec.hostAddresses,
        ...(spec.management!.services.length > 0 && { services: spec.management!.services }),
      },
    }),
    ...(management && masquerade && { masqueradeSubnets: masquerade.subnets.map(formatPrefix) }),
  };
}

/** Default keys are left out, so that the arguments of most networks stay unchanged. */
function ownKeysArgs({ portKeys: { router, alias } }: ResolvedNetwork): Pick<Layer2GatewayArgs, "ownPortKeys"> {
  const { router: usualRouter, alias: usualAlias } = ownPortKeys([]);
  return router === usualRouter && alias === usualAlias ? {} : { ownPortKeys: { router, alias } };
}

/** Subnets that the gateway router has ports in; a single address is in none. */
function hostSubnets({ spec }: ResolvedNode): string[] {
  const subnets = spec.external.addresses.map((address) => networkOf(parsePrefix(address)));
  return [...new Set(subnets.filter((subnet) => sizeOf(subnet) > 1n).map(formatPrefix))];
}
