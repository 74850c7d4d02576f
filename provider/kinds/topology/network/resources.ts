import type { Layer2NetworkPlan, ZonePlan } from "./plan";

/** Role in its name and part of a zone's plan of each kind of resource of a network. */
const RESOURCES = {
  Layer2Switch: { role: "switch", part: "switch" },
  GatewayRouter: { role: "gateway", part: "gatewayRouter" },
  Layer2Gateway: { role: "topology", part: "gateway" },
  WorkloadPorts: { role: "workloads", part: "workloads" },
  RemoteChassis: { role: "chassis", part: "remoteChassis" },
} as const satisfies Record<string, { role: string; part: keyof ZonePlan }>;

/** Kind of a resource that a network has for each node. */
export type NetworkResourceKind = keyof typeof RESOURCES;

/** Name of a network's resource for a node. An empty `network` or `node` gives the end or the beginning of the names of all. */
export const networkResourceName = (network: string, kind: NetworkResourceKind, node: string): string => `${network}-${RESOURCES[kind].role}-${node}`;

/** A resource as a program declares it. */
export interface NetworkResource {
  readonly kind: NetworkResourceKind;
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** Resources of the zones of a network, as the component `Layer2Network` names them. */
export function networkResources(network: string, { zones }: Layer2NetworkPlan): NetworkResource[] {
  return Object.values(zones).flatMap((plan) =>
    Object.entries(RESOURCES).flatMap(([name, { part }]) => {
      const kind = name as NetworkResourceKind;
      return plan[part] === undefined ? [] : [{ kind, name: networkResourceName(network, kind, plan.node), args: { ...plan[part] } }];
    }),
  );
}
