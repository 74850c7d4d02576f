import type { RemoteChassisArgs } from "../remote-chassis";
import { type ResolvedNetwork, type ResolvedNode, common } from "./resolve";

/** The chassis of each node's zone, the node's own first. */
export type ChassisByNode = ReadonlyMap<string, readonly [own: string, ...further: string[]]>;

export function chassisByNode({ nodes }: ResolvedNetwork): ChassisByNode {
  return new Map(nodes.map(({ name, chassis, furtherChassis }) => [name, [chassis, ...furtherChassis.map(([further]) => further)]]));
}

/** The chassis of all other zones, as far as their tunnel addresses are known. */
export function remoteChassisArgs(network: ResolvedNetwork, node: ResolvedNode): RemoteChassisArgs | undefined {
  const others = network.nodes.filter((other) => other !== node);
  const chassis = others.flatMap(({ name, chassis: own, furtherChassis, spec: { tunnelAddresses, encapsulation } }) => [
    [own, { addresses: tunnelAddresses, encapsulation, hostname: name }] as const,
    ...furtherChassis.map(([further, { tunnelAddresses: addresses }]) => [further, { addresses, encapsulation }] as const),
  ]);
  const reached = chassis.filter(([, { addresses }]) => addresses.length > 0);
  return reached.length === 0 ? undefined : { ...common(network, node), chassis: Object.fromEntries(reached) };
}
