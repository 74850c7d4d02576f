import type { LogicalRouterBridgeArgs, VpcArgs as PlainArgs, VpcBridgesArgs, VpcTierArgs, VpcVirtualRouterArgs, VpcWorkloadArgs } from "@pulumi-ovn/provider";
import * as pulumi from "@pulumi/pulumi";
import { IntentBook, keepsIntents } from "../intents/book";
import { vpcSubject } from "../intents/subjects";
import { isPlain } from "../plain";
import { named, orRefuse, refuseUnsendable } from "../program-error";
import type { ResourceArgs } from "../resource";
import { LogicalRouterBridge } from "../resources/logical-router-bridge";
import { VpcBridges } from "../resources/vpc-bridges";
import { knownVpc, laterVpc, type VpcParts } from "./vpc-parts";

/** Arguments some of which have to be known in the program, and others may be outputs. */
type Known<Args, Names extends keyof Args> = Omit<ResourceArgs<Args>, Names> & Pick<Args, Names>;

/**
 * Any value may be an output, except the VPC's name, names and keys of tiers, names, tiers and hosts of workloads, and the virtual router's
 * host.
 */
export interface VpcArgs extends Known<Omit<PlainArgs, "tiers" | "workloads" | "virtualRouter">, "name"> {
  /** Tiers by name. At least one. */
  tiers: Record<string, Known<VpcTierArgs, "key">>;
  /** Workloads by name. Default: none. */
  workloads?: Record<string, Known<VpcWorkloadArgs, "tier" | "host">>;
  /** The central virtual router, with the gateway's address and MAC in every tier. */
  virtualRouter: Known<VpcVirtualRouterArgs, "host">;
}

/**
 * A VPC on hosts with Open vSwitch, without OVN: a bridge per tier and host, a full mesh of tunnels, and on each host (except the virtual router's) a
 * logical router with the tiers' ACLs. See docs/how-to/vpc.md.
 */
export class Vpc extends pulumi.ComponentResource {
  /** Hosts that the VPC spans, sorted. */
  readonly hosts: readonly string[];
  /** Hosts that each tier spans, sorted, by tier. */
  readonly tierHosts: Readonly<Record<string, readonly string[]>>;
  /** Names of the tiers' bridges, by tier, equal on every host. */
  readonly bridges: Readonly<Record<string, string>>;
  /** Bridges and tunnels, by host. */
  readonly switches: Readonly<Record<string, VpcBridges>>;
  /** Logical routers, by host; the virtual router's host has none. */
  readonly routers: Readonly<Record<string, LogicalRouterBridge>>;

  constructor(name: string, args: VpcArgs, options?: pulumi.ComponentResourceOptions) {
    const what = named("Vpc", name, args);
    const book = new IntentBook(what, () => vpcSubject({ ...args }, this.hosts));
    // A preview does not show outputs of a component.
    super("ovn:network:Vpc", name, { intents: book.intents(), places: book.forReaders(() => parts.places) }, options);
    keepsIntents(this, book);
    const parts = partsOf(what, args);
    const child = { parent: this };
    // Each part has exactly the arguments of its resource.
    const argsOf = <Args>(part: object) => part as ResourceArgs<Args>;
    const switches = Object.entries(parts.bridges).map(
      ([host, own]) => [host, new VpcBridges(`${name}-bridges-${host}`, argsOf<VpcBridgesArgs>(own), child)] as const,
    );
    // A logical router sends to any host: the whole mesh is created before it, and deleted after it.
    const mesh = { ...child, dependsOn: switches.map(([, made]) => made) };
    this.hosts = parts.hosts;
    this.tierHosts = parts.tierHosts;
    this.bridges = parts.bridgeNames;
    this.switches = Object.fromEntries(switches);
    this.routers = Object.fromEntries(
      Object.entries(parts.routers).map(([host, own]) => [host, new LogicalRouterBridge(`${name}-router-${host}`, argsOf<LogicalRouterBridgeArgs>(own), mesh)]),
    );
    this.registerOutputs({ hosts: parts.hosts, tierHosts: parts.tierHosts, bridges: parts.bridgeNames, ...parts.places });
  }
}

/** Checks all arguments together. If they are known, the check runs before any resource is registered; otherwise as soon as they are. */
function partsOf(what: string, args: VpcArgs): VpcParts {
  refuseUnsendable(what, args);
  return isPlain(args) ? orRefuse(what, () => knownVpc(what, args as PlainArgs)) : laterVpc(what, { ...args });
}
