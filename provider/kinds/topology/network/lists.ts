import { z } from "zod";
import { formatIp } from "../../../kit/address";
import { ArgumentError } from "../../../kit/arguments/errors";
import { propertyPath } from "../../../kit/arguments/failures";
import { byName, mac, name, portKey, requiredIps, schemaOf } from "../fields";
import { gatewayNodes, type Layer2GatewayNodeArgs } from "../layer2-gateway/args";
import type { MemberChassisArgs } from "../members/chassis";
import type { MemberWorkloadArgs } from "../members/workloads";
import { remoteChassisEntry } from "../remote-chassis-entry";
import { unknownNode } from "./location-check";
import type { ResolvedNetwork, ResolvedNode, ResolvedWorkload } from "./resolve";
import { onSwitch } from "./upgrade";

/** The lists that all zones of a network share, by name. Each zone renders its own part of them. */
export interface NetworkMembersArgs {
  /** Nodes, for what is between the switch and the gateway routers. */
  nodes: Record<string, Layer2GatewayNodeArgs>;
  /** Chassis whose tunnel addresses are known. Default: none. */
  chassis?: Record<string, MemberChassisArgs>;
  /** Workloads by the name of their port. Default: none. */
  workloads?: Record<string, MemberWorkloadArgs>;
}

export const networkMembersSchema = schemaOf<NetworkMembersArgs>()(
  z.strictObject({
    nodes: gatewayNodes,
    chassis: byName(remoteChassisEntry.extend({ zone: name })).optional(),
    workloads: byName(
      z.strictObject({
        zone: name,
        chassis: name,
        addresses: requiredIps,
        mac,
        tunnelKey: portKey,
        portSecurity: z.boolean().optional(),
        migration: z.strictObject({ zone: name, chassis: name, activation: z.enum(["rarp"]).optional() }).optional(),
      }),
    ).optional(),
  }),
);

/** All of them. */
export function membersOf(network: ResolvedNetwork): NetworkMembersArgs {
  const [chassis, workloads] = [chassisList(network), workloadsList(network)];
  return { nodes: nodesList(network), ...(chassis && { chassis }), ...(workloads && { workloads }) };
}

export function nodesList(network: ResolvedNetwork): Record<string, Layer2GatewayNodeArgs> {
  const upgrading = onSwitch(network);
  return Object.fromEntries(
    network.nodes.map(({ name, chassis, spec: { id, topology, switchPortKey } }) => [
      name,
      {
        id,
        ...(chassis !== name && { chassis }),
        ...(topology !== "transit" && { topology }),
        ...(upgrading && switchPortKey !== undefined && { switchPortKey }),
      },
    ]),
  );
}

/** undefined when no tunnel address is known. */
export function chassisList({ nodes }: ResolvedNetwork): Record<string, MemberChassisArgs> | undefined {
  const all = nodes.flatMap(({ name: hostname, zone, chassis: own, additionalChassis, spec: { tunnelAddresses, encapsulation } }) => [
    [own, { zone, addresses: tunnelAddresses, encapsulation, hostname }] as const,
    ...additionalChassis.map(([further, { tunnelAddresses: addresses }]) => [further, { zone, addresses, encapsulation }] as const),
  ]);
  const reached = all.filter(([, { addresses }]) => addresses.length > 0);
  return reached.length === 0 ? undefined : Object.fromEntries(reached);
}

/** Undefined without workloads. */
export function workloadsList(network: ResolvedNetwork): Record<string, MemberWorkloadArgs> | undefined {
  const nodes = new Map(network.nodes.map((node) => [node.name, node]));
  return network.workloads.length === 0
    ? undefined
    : Object.fromEntries(network.workloads.map((workload) => [workload.portName, workloadEntry(workload, nodes)]));
}

function workloadEntry(
  { name: workload, addresses, mac: address, tunnelKey, spec }: ResolvedWorkload,
  nodes: ReadonlyMap<string, ResolvedNode>,
): MemberWorkloadArgs {
  const location = (node: string, chassis: string | undefined, ...path: string[]) => {
    const home = nodes.get(node);
    // A list may be made before the check of all arguments: some of them are unknown in a preview.
    if (!home) throw ArgumentError.of(propertyPath(["workloads", workload, ...path]), "unknown-node", unknownNode(node, nodes));
    return { zone: home.zone, chassis: chassis ?? home.chassis };
  };
  const { migration } = spec;
  return {
    ...location(spec.node, spec.chassis, "node"),
    addresses: addresses.map(formatIp),
    mac: address,
    tunnelKey: tunnelKey!,
    ...(!spec.portSecurity && { portSecurity: false }),
    ...(migration && {
      migration: { ...location(migration.to, migration.chassis, "migration", "to"), ...(migration.activation && { activation: migration.activation }) },
    }),
  };
}
