import { sortedEntries } from "../../kit/entries";
import type { ProgramClaim } from "../topology/claims";
import { propertyPath } from "../../kit/arguments/failures";
import type { VpcSpec } from "./args";
import { derivedZone, routerBridge } from "./names";
import { ownNames } from "./own-names";
import { hostsOfVpc } from "./topology";

/** Values that a VPC uses exclusively on its hosts. Two VPCs that share a host are compared by these before any resource is registered. */
export function vpcClaims(spec: VpcSpec): ProgramClaim[] {
  const zone = spec.conntrackZone ?? derivedZone(spec.name);
  const ports = interfaces(spec);
  return [
    ...frameClaims(spec),
    ...(spec.stateful ? [{ key: `conntrack zone ${zone}`, what: `conntrack zone ${zone}`, holder: "the logical router", path: "conntrackZone" }] : []),
    ...ports.map(({ host, port, holder, path }) => ({
      key: JSON.stringify(["interface", host, port]),
      what: `interface ${port} of host "${host}"`,
      holder,
      path,
    })),
    ...ports.map(({ host, port, holder, path }) => nameClaim(port, "interface", { holder, path, zones: new Set([host]) })),
  ];
}

/** Claims that need only names. */
export function frameClaims(spec: VpcSpec): ProgramClaim[] {
  const hosts = hostsOfVpc(spec);
  const keys = Object.fromEntries(sortedEntries(spec.tiers).map(([tier, { key }]) => [tier, key]));
  // A host has no tunnel to itself.
  const but = new Map(hosts.map((remote) => [remote, new Set(hosts.filter((host) => host !== remote))]));
  return [
    { key: `vpc ${spec.name}`, what: `the name ${spec.name} of a VPC`, holder: "the VPC", path: "name", group: "name" },
    { key: `bridge ${routerBridge(spec.name)}`, what: `the bridge ${routerBridge(spec.name)}`, holder: "the logical router", path: "name", group: "name" },
    // Names of bridges and ports derive from keys too; Open vSwitch refuses a second tunnel with the key, or takes it and loses its packets.
    ...sortedEntries(keys).map(
      ([tier, key]): ProgramClaim => ({
        key: `tunnel key ${key}`,
        what: `tunnel key ${key}`,
        holder: `tier "${tier}"`,
        path: propertyPath(["tiers", tier, "key"]),
      }),
    ),
    ...ownNames(spec.name, keys, hosts).map(({ name, holder, tier, remote }) =>
      nameClaim(name, "own", {
        holder: holder(),
        path: tier === undefined ? "name" : propertyPath(["tiers", tier, "key"]),
        ...(remote !== undefined && { zones: but.get(remote)! }),
      }),
    ),
  ];
}

/** Interfaces that the VPC puts on its bridges. */
function interfaces({ virtualRouter, workloads }: VpcSpec) {
  return [
    ...sortedEntries(virtualRouter.ports).map(([tier, port]) => ({
      host: virtualRouter.host,
      port,
      holder: "the virtual router",
      path: propertyPath(["virtualRouter", "ports", tier]),
    })),
    ...sortedEntries(workloads).flatMap(([name, { host, port }]) =>
      port === undefined ? [] : [{ host, port, holder: `workload "${name}"`, path: propertyPath(["workloads", name, "port"]) }],
    ),
  ];
}

/** Interfaces are compared by host, and names of a VPC's own by what they derive from: here one is the other's. */
function nameClaim(name: string, side: "interface" | "own", { holder, path, zones }: Pick<ProgramClaim, "holder" | "path" | "zones">): ProgramClaim {
  return { key: `host name ${name}`, what: `name ${name}`, holder, path, side, ...(zones && { zones }) };
}
