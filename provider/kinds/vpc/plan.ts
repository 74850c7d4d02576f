import { accepted } from "../../kit/arguments/validate";
import type { ProgramClaim } from "../topology/claims";
import { sortedEntries } from "../../kit/entries";
import { hasEntries } from "../needs";
import { type TierSpec, type VpcArgs, type VpcSpec, vpcSchema } from "./args";
import type { VpcBridgesArgs } from "./bridges-args";
import { checkBridgesPart, checkFrame, checkRoutersPart, checkVpc } from "./check";
import { frameClaims, vpcClaims } from "./claims";
import type { LogicalRouterBridgeArgs } from "./router-args";
import { derivedZone, gatewayMacOf, routerMac, tierBridge } from "./names";
import { hostsOfTier, hostsOfVpc } from "./topology";

/** The resources of a VPC, by name only. */
export interface VpcFramePlan {
  /** Hosts that the VPC spans, sorted. */
  readonly hosts: readonly string[];
  /** Hosts that each tier spans, sorted, by tier. */
  readonly tierHosts: Readonly<Record<string, readonly string[]>>;
  /** Names of the tiers' bridges, by tier; the same on every host. */
  readonly bridgeNames: Readonly<Record<string, string>>;
  /** Hosts with a logical router: all but the virtual router's. */
  readonly routed: readonly string[];
  /** The part of `VpcPlan.claims` that needs only names. */
  readonly claims: readonly ProgramClaim[];
}

/** Arguments of a VPC's resources, and the hosts of its workloads and virtual router. */
export interface VpcPlan extends VpcFramePlan {
  /** Bridges by host, for every host of the VPC. */
  readonly bridges: Readonly<Record<string, VpcBridgesArgs>>;
  /** Logical routers by host, for every host of the VPC except the virtual router's. */
  readonly routers: Readonly<Record<string, LogicalRouterBridgeArgs>>;
  /** Hosts of all workloads and of the virtual router, for readers of the state: no single resource has all of them. */
  readonly places: VpcPlacesOutput;
}

/** Outputs of the component by which `pulumi-ovn trace` knows workloads. */
interface VpcPlacesOutput extends Pick<VpcSpec, "workloads" | "virtualRouter"> {
  readonly tiers: Readonly<Record<string, Pick<TierSpec, "key" | "cidrs" | "gateways" | "acl"> & { readonly gatewayMac: string }>>;
}

/** Pure. Throws ArgumentError with everything that is wrong. */
export function expandVpc(args: VpcArgs): VpcPlan {
  const spec = accepted(vpcSchema, args);
  checkVpc(spec);
  const frame = frameOf(spec);
  const [bridges, routers] = [bridgesOf(spec), routersOf(spec)];
  return {
    ...frame,
    bridges: Object.fromEntries(frame.hosts.map((host) => [host, bridges(host)])),
    routers: Object.fromEntries(frame.routed.map((host) => [host, routers(host)])),
    places: placesOf(spec),
    claims: vpcClaims(spec),
  };
}

/**
 * Pure. Expands `frame` of `vpcNeedsOf`. Throws ArgumentError.
 *
 * @param hosts hosts of the VPC by name, or a value that is not known yet
 */
export function expandVpcFrame(args: unknown, hosts: unknown): VpcFramePlan {
  const frame = accepted(vpcSchema, args);
  checkFrame(frame, hasEntries(hosts) ? hosts : undefined);
  return { ...frameOf(frame), claims: frameClaims(frame) };
}

/** Pure. Expands `bridges` of `vpcNeedsOf` to the bridges of each host. Throws ArgumentError. */
export function expandVpcBridges(args: unknown): (host: string) => VpcBridgesArgs {
  const part = accepted(vpcSchema, args);
  checkBridgesPart(part);
  return bridgesOf(part);
}

/** Pure. Expands `routers` of `vpcNeedsOf` to the logical router of each host. Throws ArgumentError. */
export function expandVpcRouters(args: unknown): (host: string) => LogicalRouterBridgeArgs {
  const part = accepted(vpcSchema, args);
  checkRoutersPart(part);
  return routersOf(part);
}

function frameOf(frame: VpcSpec): Omit<VpcFramePlan, "claims"> {
  const hosts = hostsOfVpc(frame);
  return {
    hosts,
    tierHosts: Object.fromEntries(sortedEntries(frame.tiers).map(([tier]) => [tier, hostsOfTier(frame, tier)])),
    bridgeNames: Object.fromEntries(sortedEntries(frame.tiers).map(([tier, { key }]) => [tier, tierBridge(key)])),
    routed: hosts.filter((host) => host !== frame.virtualRouter.host),
  };
}

function placesOf({ tiers, workloads, virtualRouter: { host, ports } }: VpcSpec): VpcPlacesOutput {
  return {
    tiers: Object.fromEntries(
      sortedEntries(tiers).map(([tier, own]) => [
        tier,
        { key: own.key, cidrs: own.cidrs, gateways: own.gateways, gatewayMac: gatewayMacOf(own), acl: own.acl },
      ]),
    ),
    workloads: Object.fromEntries(sortedEntries(workloads)),
    virtualRouter: { host, ports: Object.fromEntries(sortedEntries(ports)) },
  };
}

const enabledOn = (enabled: VpcSpec["enabled"], host: string): boolean => (typeof enabled === "boolean" ? enabled : (enabled[host] ?? true));

function bridgesOf(spec: VpcSpec): (host: string) => VpcBridgesArgs {
  const spanned = hostsOfVpc(spec);
  return (host) => bridgesOfHost(spec, host, spanned);
}

function bridgesOfHost(spec: VpcSpec, host: string, spanned: readonly string[]): VpcBridgesArgs {
  const own = sortedEntries(spec.workloads).flatMap(([, workload]) =>
    workload.host === host && workload.port !== undefined ? [[workload.port, workload.tier] as const] : [],
  );
  const secured = sortedEntries(spec.workloads).flatMap(([, { host: its, port, mac, addresses, portSecurity = spec.portSecurity }]) =>
    portSecurity && its === host && port !== undefined ? [[port, { mac, addresses }] as const] : [],
  );
  const routers = spec.virtualRouter.host === host ? sortedEntries(spec.virtualRouter.ports).map(([tier, port]) => [port, tier] as const) : [];
  return {
    host,
    vpc: spec.name,
    tiers: Object.fromEntries(sortedEntries(spec.tiers).map(([tier, { key }]) => [tier, key])),
    tunnelType: spec.tunnelType,
    tunnelAddress: spec.hosts[host]!.tunnelAddress,
    remotes: Object.fromEntries(spanned.flatMap((other) => (other === host ? [] : [[other, spec.hosts[other]!.tunnelAddress]]))),
    ports: Object.fromEntries([...routers, ...own].sort(([a], [b]) => (a < b ? -1 : 1))),
    ...(secured.length > 0 && { portSecurity: Object.fromEntries(secured.sort(([a], [b]) => (a < b ? -1 : 1))) }),
    ...(spec.bfd && { bfd: true }),
    ...(spec.agent && { agent: true }),
    datapathType: spec.datapathType,
  };
}

/**
 * Arguments that all logical routers of the VPC share. Logical routers do not route to workloads on the virtual router's
 * host: this traffic passes the virtual router in both directions, so it sees whole connections.
 */
function routersOf(spec: VpcSpec): (host: string) => LogicalRouterBridgeArgs {
  const hosts = hostsOfVpc(spec);
  const routed = sortedEntries(spec.workloads).filter(([, { host }]) => host !== spec.virtualRouter.host);
  const lists = new Set(Object.values(spec.tiers).map(({ acl }) => acl));
  const shared = {
    vpc: spec.name,
    tiers: Object.fromEntries(
      sortedEntries(spec.tiers).map(([tier, own]) => [tier, { key: own.key, cidrs: own.cidrs, gatewayMac: gatewayMacOf(own), acl: own.acl }]),
    ),
    workloads: Object.fromEntries(routed.map(([name, { tier, mac, addresses }]) => [name, { tier, mac, addresses }])),
    acls: Object.fromEntries(sortedEntries(spec.acls).filter(([list]) => lists.has(list))),
    ...(spec.stateful && { conntrackZone: spec.conntrackZone ?? derivedZone(spec.name) }),
    ...(spec.agent && { agent: true, ...(spec.bfd && { bfd: true }) }),
    datapathType: spec.datapathType,
  };
  return (host) => ({
    host,
    mac: routerMac(spec.name, host),
    remotes: hosts.filter((other) => other !== host),
    enabled: enabledOn(spec.enabled, host),
    ...shared,
  });
}
