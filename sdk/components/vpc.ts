import { expandVpc, propertyPath, type VpcArgs, type VpcPlan } from "@pulumi-ovn/provider";
import * as pulumi from "@pulumi/pulumi";
import { laterPaths } from "../plain";
import { orRefuse, refusal } from "../program-error";
import { LogicalRouterBridge } from "../resources/logical-router-bridge";
import { VpcBridges } from "../resources/vpc-bridges";
import { claimInProgram } from "./program-claims";

/**
 * A VPC on hosts with plain Open vSwitch, without OVN: the bridge of every tier on every host that the VPC spans, a full mesh
 * of tunnels for each tier, and on every host but the virtual router's a logical router that routes between tiers and applies
 * their ACLs, so that packets between tiers take no detour.
 *
 * A tunnel that can't be made is an error of the deployment, before any logical router is enabled. One that breaks later
 * disables the logical routers at both of its ends in the next update, with a warning: then packets go through the virtual
 * router. Arguments that can't be right, and another VPC of the program with an equal key or name, are refused before any
 * resource is registered. For that all arguments have to be known in the program: an output among them is refused, too.
 */
export class Vpc extends pulumi.ComponentResource {
  /** Hosts that the VPC spans, sorted. */
  readonly hosts: readonly string[];
  /** Hosts that each tier spans, sorted, by tier. */
  readonly tierHosts: Readonly<Record<string, readonly string[]>>;
  /** Names of the tiers' bridges, by tier, on every host the same: where the hypervisor puts the interfaces of workloads. */
  readonly bridges: Readonly<Record<string, string>>;
  /** Bridges and tunnels, by host. */
  readonly switches: Readonly<Record<string, VpcBridges>>;
  /** Logical routers, by host; the virtual router's host has none. */
  readonly routers: Readonly<Record<string, LogicalRouterBridge>>;

  constructor(name: string, args: VpcArgs, options?: pulumi.ComponentResourceOptions) {
    super("ovn:network:Vpc", name, {}, options);
    const plan = planOf(`Vpc "${name}"`, args);
    const child = { parent: this };
    const switches = Object.entries(plan.bridges).map(([host, own]) => [host, new VpcBridges(`${name}-bridges-${host}`, own, child)] as const);
    // A logical router sends to any host: the whole mesh comes before it, and goes after it.
    const mesh = { ...child, dependsOn: switches.map(([, made]) => made) };
    this.hosts = plan.hosts;
    this.tierHosts = plan.tierHosts;
    this.bridges = plan.bridgeNames;
    this.switches = Object.fromEntries(switches);
    this.routers = Object.fromEntries(Object.entries(plan.routers).map(([host, own]) => [host, new LogicalRouterBridge(`${name}-router-${host}`, own, mesh)]));
    this.registerOutputs({ hosts: plan.hosts, tierHosts: plan.tierHosts, bridges: plan.bridgeNames, ...plan.places });
  }
}

function planOf(what: string, args: VpcArgs): VpcPlan {
  const later = laterPaths(args);
  if (later.length > 0) throw refusal(what, later.map((path) => ({ path: propertyPath(path), code: "plain", message: "can't be an output: hosts, addresses and names of a VPC are compared with each other before anything is made; write the value into the program, or take it from the stack's configuration" })));
  const plan = orRefuse(what, () => expandVpc(args));
  claimInProgram(what, plan.hosts, plan.claims);
  return plan;
}
