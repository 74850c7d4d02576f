import { defineKind } from "../define";
import { z } from "zod";
import { macOfIp, parseIp } from "../../kit/address";
import type { Rendered } from "../../backends/rows/kind";
import type { DesiredRow } from "../../backends/rows/set";
import { Failures, propertyPath } from "../../kit/arguments/failures";
import { byName, common, inOrder, mac, names, portKey, requiredIps, rowReference, schemaOf, uuid } from "./fields";
import { Holders } from "./holders";
import { portsFromMembers } from "./members/workloads";
import { type TopologyArgs, foreign, listedIn, rowSet, textMap } from "./rows";
import { sortedEntries } from "../../kit/entries";
import type { WorkloadPortArgs } from "./workload-port";

/** The workloads of a layer-2 network as one zone sees them: its own ones as ports, those of other zones as remote ports. */
export interface WorkloadPortsArgs extends TopologyArgs {
  /** The zone's switch: UUID or name. */
  switch: string;
  /** Ports by name, equal in every zone, which is the `iface-id` of a local one's interface. */
  ports: Record<string, WorkloadPortArgs>;
}

const schema = schemaOf<WorkloadPortsArgs>()(
  z.strictObject({
    ...common,
    switch: rowReference,
    ports: byName(
      z.strictObject({
        addresses: requiredIps,
        mac: mac.optional(),
        tunnelKey: portKey,
        remote: z.boolean().default(false),
        chassis: names.default([]),
        activation: z.enum(["rarp"]).optional(),
        portSecurity: z.boolean().default(true),
        dhcpv4Options: uuid.optional(),
        dhcpv6Options: uuid.optional(),
        externalIds: common.externalIds,
      }),
    ),
  }),
);
type Spec = z.output<typeof schema>;
type Port = Spec["ports"][string];

function render(args: Spec): Rendered {
  check(args);
  const entries = sortedEntries(args.ports);
  return {
    set: rowSet(
      "OVN_Northbound",
      entries.map(([key, port]) => portRow(args, key, port)),
      args,
    ),
  };
}

function check({ ports }: Spec): void {
  const failures = new Failures();
  if (Object.keys(ports).length === 0) failures.add("ports", "required", "needs at least one port");
  const holders = new Holders(failures);
  for (const [key, port] of sortedEntries(ports)) {
    const at =
      (...path: PropertyKey[]) =>
      () =>
        propertyPath(["ports", key, ...path]);
    holders.take("port key", port.tunnelKey, key, at("tunnelKey"));
    const free = port.addresses.map((address, index) => holders.take("address", address, key, at("addresses", index)));
    // A twin of an address has a twin of its MAC: one failure is enough.
    if (port.mac !== undefined || !free.includes(false)) holders.take("MAC", macOf(port), key, at("mac"));
    if (port.activation !== undefined && (port.remote || port.chassis.length < 2))
      failures.add(at("activation")(), "value", "has a meaning only for a local port with two chassis");
    if (port.remote && port.chassis.length === 0) failures.add(at("chassis")(), "required", "is required for a remote port");
  }
  failures.throwIfAny();
}

function macOf(port: Port): string {
  return port.mac ?? macOfIp(parseIp(inOrder(port.addresses)[0]!));
}

function portRow(args: Spec, key: string, port: Port): DesiredRow {
  return { table: "Logical_Switch_Port", key, columns: portColumns(key, port), parent: listedIn("Logical_Switch", foreign(args.switch), "ports") };
}

function portColumns(name: string, port: Port): DesiredRow["columns"] {
  const address = [macOf(port), ...inOrder(port.addresses)].join(" ");
  return {
    name,
    type: port.remote ? "remote" : "",
    addresses: [address],
    ...(port.portSecurity && !port.remote && { port_security: [address] }),
    options: textMap({
      "requested-tnl-key": port.tunnelKey,
      "requested-chassis": port.chassis.join(",") || undefined,
      "activation-strategy": port.activation,
    }),
    ...(port.dhcpv4Options !== undefined && { dhcpv4_options: { uuid: port.dhcpv4Options } }),
    ...(port.dhcpv6Options !== undefined && { dhcpv6_options: { uuid: port.dhcpv6Options } }),
    ...(port.externalIds && { external_ids: textMap(port.externalIds) }),
  };
}

/** The workloads of a layer-2 network as one zone sees them. */
export const workloadPorts = defineKind({
  backend: "rows",
  name: "WorkloadPorts",
  database: "OVN_Northbound",
  schema,
  render,
  outputs: [],
  fromMembers: portsFromMembers,
  extent: { tables: ["Logical_Switch_Port"] },
});
