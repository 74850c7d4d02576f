import { type AgentExposure, hostPrefix } from "@pulumi-ovn/provider/agent";
import { addressesOf, macOf } from "./addresses";
import { type Candidate, allowed } from "./candidate";
import type { Gateway, World } from "./world";

/** The gateways that an exposure goes through. */
export const gatewaysOf = (world: World, exposure: AgentExposure): Gateway[] => world.gateways.filter(({ network, ends }) => allowed(exposure, network.name, ...ends));

/**
 * The routers' own addresses: what their source translation sends packets with comes back to them, and they are the next hops of
 * tenant networks. So whatever is announced but load balancers needs them.
 */
export function gatewayAddresses(world: World, exposure: AgentExposure): Candidate[] {
  if (!exposure.floatingIPs && !exposure.providerPorts && exposure.tenantNetworks === undefined) return [];
  return gatewaysOf(world, exposure).flatMap(({ port, network }): Candidate[] => {
    const link = world.link(network);
    return link ? addressesOf(port).map((address) => ({ network, link, next: null, prefix: hostPrefix(address), subnet: address, mac: macOf(port) })) : [];
  });
}
