import type { GatewayPeerArgs } from "./gateway-peer";
import type { Layer2SwitchArgs } from "./layer2-switch";
import type { Layer2GatewayArgs } from "./layer2-gateway";
import type { TransitRouterArgs } from "./transit-router";
import type { WorkloadPortsArgs } from "./workload-ports";

/** A resource that takes its list by reference has it in common with the others anyway. */
type Loose<Args, List extends keyof Args> = Omit<Args, List> & Partial<Pick<Args, List>>;

/**
 * Values on which the resources of all zones must agree, by subject: packets between zones that disagree would be lost
 * without a message. An undefined value agrees with all others.
 */
export const agreementSubjects = {
  Layer2Switch: ({ name, tunnelKey }: Layer2SwitchArgs) => ({ [`tunnelKey of switch "${name}"`]: tunnelKey }),
  TransitRouter: ({ name, tunnelKey, gateway }: TransitRouterArgs) => ({
    [`tunnelKey of router "${name}"`]: tunnelKey,
    [`gateway of router "${name}"`]: JSON.stringify(gateway),
  }),
  GatewayPeer: ({ network = "", nodes, transitSubnets, joinSubnets }: GatewayPeerArgs) => ({
    [`transitSubnets of network "${network}"`]: transitSubnets.join(" "),
    [`joinSubnets of network "${network}"`]: joinSubnets.join(" "),
    ...Object.fromEntries(Object.entries(nodes).map(([node, { id }]) => [`id of node "${node}" in network "${network}"`, id])),
  }),
  Layer2Gateway: ({ network = "", tunnelKey, gateway, nodes = {}, transitSubnets, joinSubnets, upgrade }: Loose<Layer2GatewayArgs, "nodes">) => ({
    [`tunnelKey of the transit router of network "${network}"`]: tunnelKey,
    [`gateway of network "${network}"`]: JSON.stringify(gateway),
    [`transitSubnets of network "${network}"`]: transitSubnets.join(" "),
    [`joinSubnets of network "${network}"`]: joinSubnets.join(" "),
    [`upgrade of network "${network}"`]: upgrade ?? "none",
    ...Object.fromEntries(
      Object.entries(nodes).map(([node, { id, topology, switchPortKey }]) => [
        `node "${node}" of network "${network}"`,
        [id, topology ?? "transit", switchPortKey].filter(Boolean).join(" "),
      ]),
    ),
  }),
  WorkloadPorts: ({ ports = {} }: Loose<WorkloadPortsArgs, "ports">) =>
    Object.fromEntries(Object.entries(ports).map(([port, { tunnelKey }]) => [`tunnelKey of port "${port}"`, tunnelKey])),
} as const;

/** The switch or router that has a resource's tunnel key: in one zone no other may have it. */
export const datapathOf = {
  Layer2Switch: ({ name }: Layer2SwitchArgs) => `switch "${name}"`,
  TransitRouter: ({ name }: TransitRouterArgs) => `router "${name}"`,
  Layer2Gateway: ({ network = "" }: Layer2GatewayArgs) => `the transit router of network "${network}"`,
} as const;
