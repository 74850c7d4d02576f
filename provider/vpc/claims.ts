import { sortedEntries } from "../topology/rows";
import type { ProgramClaim } from "../topology/claims";
import { propertyPath } from "../topology/failures";
import type { VpcSpec } from "./args";
import type { VpcFrame } from "./parts";
import { derivedZone, routerBridge } from "./names";

/** What a VPC has for itself on its hosts; two VPCs that share a host are compared by these before anything is registered. */
export function vpcClaims(spec: VpcSpec): ProgramClaim[] {
  const zone = spec.conntrackZone ?? derivedZone(spec.name);
  return [
    ...frameClaims(spec),
    ...(spec.stateful ? [{ key: `conntrack zone ${zone}`, what: `conntrack zone ${zone}`, holder: "the logical router", path: "conntrackZone" }] : []),
    ...sortedEntries(spec.virtualRouter.ports).map(([tier, port]) =>
      portClaim(spec.virtualRouter.host, port, "the virtual router", propertyPath(["virtualRouter", "ports", tier])),
    ),
    ...sortedEntries(spec.workloads).flatMap(([name, { host, port }]) =>
      port === undefined ? [] : [portClaim(host, port, `workload "${name}"`, propertyPath(["workloads", name, "port"]))],
    ),
  ];
}

/** Those of names alone. */
export function frameClaims(spec: VpcFrame): ProgramClaim[] {
  return [
    { key: `vpc ${spec.name}`, what: `the name ${spec.name} of a VPC`, holder: "the VPC", path: "name", group: "name" },
    { key: `bridge ${routerBridge(spec.name)}`, what: `the bridge ${routerBridge(spec.name)}`, holder: "the logical router", path: "name", group: "name" },
    // Names of bridges and ports derive from keys too; Open vSwitch refuses a second tunnel with the key, or takes it and loses its packets.
    ...sortedEntries(spec.tiers).map(
      ([tier, { key }]): ProgramClaim => ({
        key: `tunnel key ${key}`,
        what: `tunnel key ${key}`,
        holder: `tier "${tier}"`,
        path: propertyPath(["tiers", tier, "key"]),
      }),
    ),
  ];
}

function portClaim(host: string, port: string, holder: string, path: string): ProgramClaim {
  return { key: JSON.stringify(["interface", host, port]), what: `interface ${port} of host "${host}"`, holder, path };
}
