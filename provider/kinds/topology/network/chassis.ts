import type { ResolvedNetwork } from "./resolve";

/** The chassis of each node's zone, the node's own first. */
export type ChassisByNode = ReadonlyMap<string, readonly [own: string, ...further: string[]]>;

export function chassisByNode({ nodes }: ResolvedNetwork): ChassisByNode {
  return new Map(nodes.map(({ name, chassis, additionalChassis }) => [name, [chassis, ...additionalChassis.map(([further]) => further)]]));
}
