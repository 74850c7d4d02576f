import {
  argumentNames,
  type CompactPlan,
  egressNetworkOf,
  type EgressNetworkArgs,
  type Layer2NetworkArgs,
  lazily,
  type LooseNetworkArgs,
  needsOf,
  partialNetwork,
  type PartNeeds,
  partOf,
  type ResolvedNetwork,
  rowKind,
  type RowKindName,
  type WorkloadPlan,
} from "@pulumi-ovn/provider";
import * as pulumi from "@pulumi/pulumi";
import { gated } from "../gate";
import { later, type PartArgs as AnyPartArgs, spread } from "./later";
import type { MemberInputs } from "./network-members";
import { isPlain } from "../plain";
import { hasRemoteChassis, zoneOf } from "./network-structure";
import { claimInProgram } from "./program-claims";
import { refusingOnce } from "./refusing-once";

/** Arguments of a zone's resource, each of which may be an output. */
export type PartArgs = AnyPartArgs & { readonly zone: pulumi.Input<string> };

/** The arguments of the resources of one zone. */
export interface ZoneParts {
  readonly node: string;
  readonly switch: PartArgs;
  readonly gatewayRouter: PartArgs;
  readonly gateway: PartArgs;
  readonly workloads?: PartArgs;
  readonly remoteChassis?: PartArgs;
}

/** Parts of a network. */
export interface NetworkParts {
  /** Keyed by zone. */
  readonly zones: Readonly<Record<string, ZoneParts>>;
  /** Resources that the parts of all zones refer to. */
  readonly members: MemberInputs;
  readonly gateway: pulumi.Output<{ readonly addresses: readonly string[]; readonly mac: string }>;
  readonly transitSubnets: pulumi.Output<readonly string[]>;
  readonly workloads: Readonly<Record<string, pulumi.Output<WorkloadPlan>>>;
  /** undefined when something that egress policies build on is an output. */
  readonly egress: EgressNetworkArgs | undefined;
}

/** Parts of a network whose arguments are all known. */
export function knownParts(plan: CompactPlan): NetworkParts {
  return {
    members: plan.members,
    zones: plan.zones as unknown as NetworkParts["zones"],
    gateway: pulumi.output(plan.gateway),
    transitSubnets: pulumi.output(plan.transitSubnets),
    // Pulumi makes an output, with promises of its own, of each value; and programs ask for few of the workloads, if any.
    workloads: lazily(Object.fromEntries(Object.entries(plan.workloads).map(([name, workload]) => [name, () => pulumi.output(workload)]))),
    egress: egressNetworkOf(plan),
  };
}

/**
 * Parts of a network with outputs among its arguments. Each part is known as soon as the arguments that it depends on are. Claims
 * are compared with other components as soon as the claims are known, even if other arguments are not.
 *
 * @param check runs when all arguments are known; no resource is made of arguments that it refuses
 */
export function laterParts(what: string, args: LooseNetworkArgs, check: (args: Layer2NetworkArgs) => void): NetworkParts {
  const needs = needsOf(args);
  const networks = laterNetworks(what, args, needs, check);
  const { network, partIn, refusing } = networks;
  const nodes = Object.keys(args.nodes).sort();
  const hasWorkloads = Object.keys(args.workloads ?? {}).length > 0;
  const [switches, gatewayRouters, workloads, remoteChassis, gateways] = [
    network(needs.switches),
    network(needs.gatewayRouters),
    network(needs.workloads),
    network(needs.remoteChassis),
    network(needs.gateways),
  ];
  const shared = { switches, gatewayRouters, gateways, remoteChassis, ...(hasWorkloads && { workloads }) };
  const egress = needs.egress.network;
  return {
    zones: Object.fromEntries(nodes.map((node) => [zoneOf(args, node), laterZone(args, needs, networks, shared, node)])),
    members: {
      nodes: partIn(network(needs.nodes), partOf.members.nodes),
      ...(nodes.some((node) => hasRemoteChassis(args, node)) && { chassis: partIn(remoteChassis, (all) => partOf.members.chassis(all) ?? {}) }),
      ...(hasWorkloads && { workloads: partIn(workloads, (all) => partOf.members.workloads(all) ?? {}) }),
    },
    gateway: partIn(network(needs.gateway), partOf.defaultGateway),
    transitSubnets: partIn(network(needs.transitSubnets), partOf.transitSubnets),
    workloads: Object.fromEntries(Object.keys(args.workloads ?? {}).map((name) => [name, partIn(network(needs.workload(name)), partOf.workload)])),
    egress: isPlain(egress) ? refusing(() => egressNetworkOf(partOf.egress(partialNetwork(egress)))) : undefined,
  };
}

/** A network of which some arguments are known. A call throws what these are refused for. */
type LaterNetwork = pulumi.Output<() => ResolvedNetwork>;

const CLAIMS = ["names", "outside", "masquerade", "chassis"] as const;

type Needs = ReturnType<typeof needsOf>;
type LaterNetworks = ReturnType<typeof laterNetworks>;

/** Makers of parts from known arguments, with the checks that each resource waits for. */
function laterNetworks(what: string, args: LooseNetworkArgs, needs: Needs, check: (args: Layer2NetworkArgs) => void) {
  const refusing = refusingOnce(what);
  const zones = Object.keys(args.nodes).map((node) => zoneOf(args, node));
  const claimed = CLAIMS.map((part) =>
    later(needs[part].network, (known) => refusing(() => claimInProgram(what, zones, partOf.claims[part](partialNetwork(known))))),
  );
  const checked = pulumi.output(args).apply(async (all) => check(await gated(all as unknown as Layer2NetworkArgs, ...claimed)));
  const checks = [...claimed, checked];
  const network = ({ network: known }: PartNeeds): LaterNetwork => later(known, (all) => refusing(() => partialNetwork(all)), checks);
  const partIn = <Part>(shared: LaterNetwork, part: (network: ResolvedNetwork) => Part) => shared.apply((known) => refusing(() => part(known())));
  return { network, partIn, refusing, checks };
}

interface SharedNetworks {
  readonly switches: LaterNetwork;
  readonly gatewayRouters: LaterNetwork;
  readonly gateways: LaterNetwork;
  readonly remoteChassis: LaterNetwork;
  /** Undefined without workloads. */
  readonly workloads?: LaterNetwork;
}

/** Arguments of the resources of a node's zone. */
function laterZone(args: LooseNetworkArgs, needs: Needs, { network, partIn, checks }: LaterNetworks, shared: SharedNetworks, node: string): ZoneParts {
  const [ownRouter, ownGateway] = [network({ network: needs.gatewayRouters.own(node) }), network({ network: needs.gateways.own(node) })];
  const part = (kind: RowKindName, of: pulumi.Output<object>) => zoneArgs(kind, gated(zoneOf(args, node), ...checks), of);
  const ofNode = (all: LaterNetwork, make: (network: ResolvedNetwork, node: string) => object) => partIn(all, (known) => make(known, node));
  const router = shared.gatewayRouters.apply((all) => partIn(ownRouter, (own) => partOf.gatewayRouter(all(), own)));
  const gateway = shared.gateways.apply((all) => partIn(ownGateway, (own) => partOf.gateway(all(), own)));
  return {
    node,
    switch: part("Layer2Switch", ofNode(shared.switches, partOf.switch)),
    gatewayRouter: part("GatewayRouter", router),
    gateway: part("Layer2Gateway", gateway),
    ...(shared.workloads && { workloads: part("WorkloadPorts", ofNode(shared.workloads, partOf.workloads)) }),
    ...(hasRemoteChassis(args, node) && { remoteChassis: part("RemoteChassis", ofNode(shared.remoteChassis, partOf.remoteChassis)) }),
  };
}

/** Arguments of a resource of one zone, from an output of them. */
function zoneArgs(kind: RowKindName, zone: Promise<string>, made: pulumi.Output<object>): PartArgs {
  const { schema, fromMembers } = rowKind(kind);
  return spread(
    argumentNames(schema).filter((name) => name !== fromMembers?.argument),
    { zone },
    made,
  );
}
