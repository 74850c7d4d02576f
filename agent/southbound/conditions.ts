import type { MonitorCondition } from "@pulumi-ovn/ovsdb-client";
import { type Concern, NETWORK_PORTS, type Snapshot } from "@pulumi-ovn/provider/agent";

/** Tables of which the agent sees some rows. */
export type Narrowed = "Chassis" | "Encap" | "Port_Binding" | "Load_Balancer" | "Logical_DP_Group";
export type Conditions = Readonly<Record<Narrowed, readonly MonitorCondition[]>>;

export const NO_ROWS: readonly MonitorCondition[] = [false];
export const ALL_ROWS: readonly MonitorCondition[] = [true];

const BETWEEN_NETWORKS = NETWORK_PORTS.map((type): MonitorCondition => ["type", "==", type]);

/**
 * Conditions for rows that can affect the chassis, from the rows read so far: workloads of this chassis, workloads of tenant networks behind
 * its gateways whose addresses are announced one by one, and workloads whose addresses could also be announced elsewhere. Only datapath
 * groups of load balancers are read; most groups belong to logical flows.
 */
export function conditionsFor(
  { chassis: { name, uuid } }: Pick<Snapshot, "chassis">,
  { exposures, datapaths }: Concern,
  groups: readonly string[],
): Conditions {
  if (exposures.length === 0 || uuid === null)
    return { Chassis: [["name", "==", name]], Encap: NO_ROWS, Port_Binding: NO_ROWS, Load_Balancer: NO_ROWS, Logical_DP_Group: NO_ROWS };
  // These rows distinguish floating IPs from load balancers.
  const balancers = exposures.some(({ loadBalancers, floatingIPs }) => loadBalancers || floatingIPs) ? ALL_ROWS : NO_ROWS;
  const ports: MonitorCondition[] = [
    ...BETWEEN_NETWORKS,
    ["chassis", "==", ["uuid", uuid]],
    ...datapaths.map((datapath): MonitorCondition => ["datapath", "==", ["uuid", datapath]]),
  ];
  return {
    Chassis: ALL_ROWS,
    Encap: [["chassis_name", "!=", name]],
    Port_Binding: ports,
    Load_Balancer: balancers,
    Logical_DP_Group: groups.length > 0 ? groups.map((uuid): MonitorCondition => ["_uuid", "==", ["uuid", uuid]]) : NO_ROWS,
  };
}
