import { ArgumentError } from "../arguments/errors";
import { validate } from "../arguments/validate";
import type { ProgramClaim } from "../topology/claims";
import { sortedEntries } from "../topology/rows";
import { type TierSpec, type VpcArgs, type VpcSpec, vpcSchema } from "./args";
import type { VpcBridgesArgs } from "./bridges-args";
import { checkVpc } from "./check";
import { vpcClaims } from "./claims";
import type { LogicalRouterBridgeArgs } from "./router-args";
import { derivedZone, gatewayMacOf, routerMac, tierBridge } from "./names";
import { hostsOfTier, hostsOfVpc } from "./topology";

/** What a VPC comes to: the arguments of its resources, and where it is. */
export interface VpcPlan {
  /** Hosts that the VPC spans, sorted. */
  readonly hosts: readonly string[];
  /** Hosts that each tier spans, sorted, by tier. */
  readonly tierHosts: Readonly<Record<string, readonly string[]>>;
  /** Names of the tiers' bridges, by tier; the same on every host. */
  readonly bridgeNames: Readonly<Record<string, string>>;
  /** By host: every one that the VPC spans. */
  readonly bridges: Readonly<Record<string, VpcBridgesArgs>>;
  /** By host: every one that the VPC spans but the virtual router's. */
  readonly routers: Readonly<Record<string, LogicalRouterBridgeArgs>>;
  /** Who is where, for whoever reads the state: no resource of a host has all of it. */
  readonly places: VpcPlacesOutput;
  readonly claims: readonly ProgramClaim[];
}

/** Outputs of the component by which `pulumi-ovn trace` knows workloads. */
export interface VpcPlacesOutput extends Pick<VpcSpec, "workloads" | "virtualRouter"> {
  readonly tiers: Readonly<Record<string, Pick<TierSpec, "key" | "cidrs" | "gateways" | "acl"> & { readonly gatewayMac: string }>>;
}

/** Pure. Throws ArgumentError with everything that is wrong. */
export function expandVpc(args: VpcArgs): VpcPlan {
  const shape = validate(vpcSchema, args);
  if (shape.length > 0) throw new ArgumentError(shape);
  const spec = vpcSchema.parse(args);
  checkVpc(spec);
  const hosts = hostsOfVpc(spec);
  const shared = routersOf(spec);
  return {
    hosts,
    tierHosts: Object.fromEntries(sortedEntries(spec.tiers).map(([tier]) => [tier, hostsOfTier(spec, tier)])),
    bridgeNames: Object.fromEntries(sortedEntries(spec.tiers).map(([tier, { key }]) => [tier, tierBridge(key)])),
    bridges: Object.fromEntries(hosts.map((host) => [host, bridgesOf(spec, host, hosts)])),
    routers: Object.fromEntries(hosts.flatMap((host) => (host === spec.virtualRouter.host ? [] : [[host, { host, mac: routerMac(spec.name, host), remotes: hosts.filter((other) => other !== host), ...shared }]]))),
    places: placesOf(spec),
    claims: vpcClaims(spec),
  };
}

function placesOf({ tiers, workloads, virtualRouter: { host, ports } }: VpcSpec): VpcPlacesOutput {
  return {
    tiers: Object.fromEntries(sortedEntries(tiers).map(([tier, own]) => [tier, { key: own.key, cidrs: own.cidrs, gateways: own.gateways, gatewayMac: gatewayMacOf(own), acl: own.acl }])),
    workloads: Object.fromEntries(sortedEntries(workloads)),
    virtualRouter: { host, ports: Object.fromEntries(sortedEntries(ports)) },
  };
}

function bridgesOf(spec: VpcSpec, host: string, spanned: readonly string[]): VpcBridgesArgs {
  const own = sortedEntries(spec.workloads).flatMap(([, workload]) => (workload.host === host && workload.port !== undefined ? [[workload.port, workload.tier] as const] : []));
  const routers = spec.virtualRouter.host === host ? sortedEntries(spec.virtualRouter.ports).map(([tier, port]) => [port, tier] as const) : [];
  return {
    host,
    vpc: spec.name,
    tiers: Object.fromEntries(sortedEntries(spec.tiers).map(([tier, { key }]) => [tier, key])),
    tunnelType: spec.tunnelType,
    tunnelAddress: spec.hosts[host]!.tunnelAddress,
    remotes: Object.fromEntries(spanned.flatMap((other) => (other === host ? [] : [[other, spec.hosts[other]!.tunnelAddress]]))),
    ports: Object.fromEntries([...routers, ...own].sort(([a], [b]) => (a < b ? -1 : 1))),
    datapathType: spec.datapathType,
  };
}

/**
 * What all logical routers of the VPC have in common. Workloads beside the virtual router are not routed to: what goes there
 * passes the virtual router in both directions, which sees whole connections.
 */
function routersOf(spec: VpcSpec): Omit<LogicalRouterBridgeArgs, "host" | "mac" | "remotes"> {
  const routed = sortedEntries(spec.workloads).filter(([, { host }]) => host !== spec.virtualRouter.host);
  const lists = new Set(Object.values(spec.tiers).map(({ acl }) => acl));
  return {
    vpc: spec.name,
    tiers: Object.fromEntries(sortedEntries(spec.tiers).map(([tier, own]) => [tier, { key: own.key, cidrs: own.cidrs, gatewayMac: gatewayMacOf(own), acl: own.acl }])),
    workloads: Object.fromEntries(routed.map(([name, { tier, mac, addresses }]) => [name, { tier, mac, addresses }])),
    acls: Object.fromEntries(sortedEntries(spec.acls).filter(([list]) => lists.has(list))),
    enabled: spec.enabled,
    ...(spec.stateful && { conntrackZone: spec.conntrackZone ?? derivedZone(spec.name) }),
    datapathType: spec.datapathType,
  };
}
