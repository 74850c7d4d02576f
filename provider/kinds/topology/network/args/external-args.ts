import { z } from "zod";
import { interfaceAddresses, interfaceName, mac, mappedName, mtu, nextHops, vlan } from "../../fields";
import { type OutsideRouteArgs, outsideRoutes } from "../../gateway-router/args";

export interface NetworkExternalArgs {
  /** Addresses of the gateway router, with prefix lengths. */
  addresses: string[];
  /** Default gateways outside. Default: none. */
  nextHops?: string[];
  /** MAC of the gateway router's port. Default: derived from the first address. */
  mac?: string;
  /** The node's bridge to the network outside, at most 15 characters; part of a port's name. Default: "br-ex". */
  bridge?: string;
  /** The bridge's name in `ovn-bridge-mappings`. Default: "physnet". */
  networkName?: string;
  /** Default: untagged. */
  vlan?: number;
}

export interface NetworkFurtherExternalArgs {
  /** Addresses of the gateway router in it, with prefix lengths. */
  addresses: string[];
  /** Networks behind this one, by a name. Default: none. */
  routes?: Record<string, OutsideRouteArgs>;
  /** MAC of the gateway router's port. Default: derived from the first address. */
  mac?: string;
  /** The bridge's name in `ovn-bridge-mappings`. Default: the network's name in `furtherExternals`. */
  networkName?: string;
  /** Default: untagged. */
  vlan?: number;
  /** Larger packets are answered with "fragmentation needed", in bytes. Default: off. */
  mtu?: number;
}

export const external = z.strictObject({
  addresses: interfaceAddresses,
  nextHops: nextHops.default([]),
  mac: mac.optional(),
  bridge: interfaceName.default("br-ex"),
  networkName: mappedName.default("physnet"),
  vlan: vlan.optional(),
});

export const furtherExternal = z.strictObject({
  addresses: interfaceAddresses,
  routes: outsideRoutes.default({}),
  mac: mac.optional(),
  networkName: mappedName.optional(),
  vlan: vlan.optional(),
  mtu: mtu.optional(),
});
