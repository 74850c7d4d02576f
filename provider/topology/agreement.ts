import type { GatewayPeerArgs } from "./gateway-peer";
import type { LayerTwoSwitchArgs } from "./layer-two-switch";
import type { TransitRouterArgs } from "./transit-router";
import type { WorkloadPortsArgs } from "./workload-ports";

/**
 * What a resource says that the resources of all other zones must say too, by subject: packets between zones that
 * disagree would be lost without a message. A value that is undefined says nothing.
 */
export const agreementSubjects = {
  LayerTwoSwitch: ({ name, tunnelKey }: LayerTwoSwitchArgs) => ({ [`tunnelKey of switch "${name}"`]: tunnelKey }),
  TransitRouter: ({ name, tunnelKey, gateway }: TransitRouterArgs) => ({
    [`tunnelKey of router "${name}"`]: tunnelKey,
    [`gateway of router "${name}"`]: JSON.stringify(gateway),
  }),
  GatewayPeer: ({ network = "", nodes, transitSubnets, joinSubnets }: GatewayPeerArgs) => ({
    [`transitSubnets of network "${network}"`]: transitSubnets.join(" "),
    [`joinSubnets of network "${network}"`]: joinSubnets.join(" "),
    ...Object.fromEntries(Object.entries(nodes).map(([node, { id }]) => [`id of node "${node}" in network "${network}"`, id])),
  }),
  WorkloadPorts: ({ ports }: WorkloadPortsArgs) => Object.fromEntries(Object.entries(ports).map(([port, { tunnelKey }]) => [`tunnelKey of port "${port}"`, tunnelKey])),
} as const;
