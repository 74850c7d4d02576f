import {
  argumentNames,
  egressNetworkOf,
  type EgressNetworkArgs,
  kinds,
  type Layer2NetworkArgs,
  type Layer2NetworkPlan,
  type LooseNetworkArgs,
  needsOf,
  nodesArgs,
  partialNetwork,
  type PartNeeds,
  partOf,
  type WorkloadPlan,
} from "@pulumi-ovn/provider";
import * as pulumi from "@pulumi/pulumi";
import { gated } from "../gate";
import { isPlain } from "../plain";
import { hasRemoteChassis, zoneOf } from "./network-structure";

/** Arguments of a resource, each of which may be an output. */
export type PartArgs = Readonly<Record<string, unknown>> & { readonly zone: pulumi.Input<string> };

/** The arguments of the resources of one zone. */
export interface ZoneParts {
  readonly node: string;
  readonly switch: PartArgs;
  readonly gatewayRouter: PartArgs;
  readonly gateway: PartArgs;
  readonly workloads?: PartArgs;
  readonly remoteChassis?: PartArgs;
}

/** What a network consists of. */
export interface NetworkParts {
  /** By zone. */
  readonly zones: Readonly<Record<string, ZoneParts>>;
  readonly gateway: pulumi.Output<{ readonly addresses: readonly string[]; readonly mac: string }>;
  readonly transitSubnets: pulumi.Output<readonly string[]>;
  readonly workloads: Readonly<Record<string, pulumi.Output<WorkloadPlan>>>;
  /** undefined when something that egress policies build on is an output. */
  readonly egress: EgressNetworkArgs | undefined;
}

/** Of a network whose arguments are all known. */
export function knownParts(plan: Layer2NetworkPlan): NetworkParts {
  return {
    zones: plan.zones as unknown as NetworkParts["zones"],
    gateway: pulumi.output(plan.gateway),
    transitSubnets: pulumi.output(plan.transitSubnets),
    workloads: Object.fromEntries(Object.entries(plan.workloads).map(([name, workload]) => [name, pulumi.output(workload)])),
    egress: egressNetworkOf(plan),
  };
}

/**
 * Of a network some of whose arguments are outputs: each part is known as soon as what it depends on is.
 *
 * @param check runs when all arguments are known; no resource is made of arguments that it refuses
 */
export function laterParts(args: LooseNetworkArgs, check: (args: Layer2NetworkArgs) => void): NetworkParts {
  const checked = pulumi.output(args).apply((all) => check(all as unknown as Layer2NetworkArgs));
  const needs = needsOf(args);
  const network = ({ network: own }: PartNeeds) => holding(own, partialNetwork);
  const [switches, gatewayRouters, workloads, remoteChassis] = [network(needs.switches), network(needs.gatewayRouters), network(needs.workloads), network(needs.remoteChassis)];
  const gateways = holding(needs.gateways.network, (known) => {
    const shared = partialNetwork(known);
    return { shared, nodes: nodesArgs(shared) };
  });
  const zoneParts = (node: string): ZoneParts => {
    const part = <Kind extends keyof typeof kinds>(kind: Kind, made: pulumi.Output<object>) => spread(kind, zoneOf(args, node), made, checked);
    const [ownRouter, ownGateway] = [holding(needs.gatewayRouters.own(node), partialNetwork), holding(needs.gateways.own(node), partialNetwork)];
    return {
      node,
      switch: part("LayerTwoSwitch", switches.apply((shared) => partOf.switch(shared(), node))),
      gatewayRouter: part("GatewayRouter", gatewayRouters.apply((shared) => ownRouter.apply((own) => partOf.gatewayRouter(shared(), own())))),
      gateway: part("Layer2Gateway", gateways.apply((all) => ownGateway.apply((own) => partOf.gateway(all().shared, own(), all().nodes)))),
      ...(Object.keys(args.workloads ?? {}).length > 0 && { workloads: part("WorkloadPorts", workloads.apply((shared) => partOf.workloads(shared(), node) ?? {})) }),
      ...(hasRemoteChassis(args, node) && { remoteChassis: part("RemoteChassis", remoteChassis.apply((shared) => partOf.remoteChassis(shared(), node) ?? { chassis: {} })) }),
    };
  };
  const egress = needs.egress.network;
  return {
    zones: Object.fromEntries(Object.keys(args.nodes).sort().map((node) => [zoneOf(args, node), zoneParts(node)])),
    gateway: network(needs.gateway).apply((shared) => partOf.defaultGateway(shared())),
    transitSubnets: network(needs.transitSubnets).apply((shared) => partOf.transitSubnets(shared())),
    workloads: Object.fromEntries(Object.keys(args.workloads ?? {}).map((name) => [name, network(needs.workload(name)).apply((shared) => partOf.workload(shared()))])),
    egress: isPlain(egress) ? egressNetworkOf(partOf.egress(partialNetwork(egress))) : undefined,
  };
}

/** What is made of arguments, once they are known, in a function: Pulumi copies whatever else an output holds, again and again. */
function holding<Made>(args: LooseNetworkArgs, make: (args: LooseNetworkArgs) => Made): pulumi.Output<() => Made> {
  return pulumi.output(args).apply((known) => {
    const made = make(known as LooseNetworkArgs);
    return () => made;
  }) as pulumi.Output<() => Made>;
}

/** A resource takes its arguments one by one. Its zone is known whatever else is not, and waits for the checks. */
function spread(kind: keyof typeof kinds, zone: string, made: pulumi.Output<object>, checked: pulumi.Output<unknown>): PartArgs {
  const names = argumentNames(kinds[kind].schema).filter((name) => name !== "zone");
  return { ...Object.fromEntries(names.map((name) => [name, made.apply((all) => (all as Record<string, unknown>)[name])])), zone: gated(zone, checked) };
}
