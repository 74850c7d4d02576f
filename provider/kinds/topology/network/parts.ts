import { FIRST_FREE_PORT_KEY, formatPrefix } from "../../../kit/address";
import { mapped } from "../../../kit/entries";
import { accepted } from "../../../kit/arguments/validate";
import { Failures } from "../../../kit/arguments/failures";
import type { GatewayRouterArgs } from "../gateway-router";
import type { Layer2SwitchArgs } from "../layer2-switch";
import type { Layer2GatewayArgs } from "../layer2-gateway";
import { hasEntries, type LooseArgs, pick, pickEach } from "../../needs";
import { layer2NetworkSchema } from "./args/args";
import { chassisClaims, masqueradeClaims, nameClaims } from "./claims";
import { gatewayArgs } from "./gateway-part";
import { gatewayRouterArgs } from "./gateway-router-part";
import { chassisList, nodesList, workloadsList } from "./lists";
import { outsideClaims } from "./outside-claims";
import { type WorkloadPlan, workloadPlan } from "./workload-plan";
import { compactPlanOf, defaultGateway } from "./plan";
import { type ResolvedNetwork, type ResolvedNode, common, resolve } from "./resolve";
import { switchArgs, workloadsArgs } from "./switch-part";

/** Arguments of a network of which only names are known. */
export interface LooseNetworkArgs {
  readonly nodes: Readonly<Record<string, LooseArgs>>;
  readonly workloads?: Readonly<Record<string, unknown>> | undefined;
  readonly [argument: string]: unknown;
}

/** Arguments that parts of a network depend on. */
export interface PartNeeds {
  readonly network: LooseNetworkArgs;
  /** The part's own node, where a part of one zone depends on more of it than on those of other zones. */
  readonly own?: (node: string) => LooseNetworkArgs;
}

const COMMON = ["name", "subnets", "externalIds"];
/** Stand-ins for arguments that a part does not depend on. */
const NODE = { id: 1, external: { addresses: [] } };
const NETWORK = { name: "", subnets: ["10.0.0.0/8"] };
const WORKLOAD = { node: "somewhere", addresses: ["10.0.0.9"] };

/** The arguments that each part of a network depends on. A test compares the parts with those of the whole network. */
// oxlint-disable-next-line eslint/max-lines-per-function -- One table.
export function needsOf(args: LooseNetworkArgs) {
  const nodes = (names: readonly string[]) => pickEach(args.nodes, names, NODE) as LooseNetworkArgs["nodes"];
  const own =
    (names: readonly string[]) =>
    (node: string): LooseNetworkArgs => ({ ...NETWORK, nodes: { [node]: pick(args.nodes[node]!, names, NODE) } });
  return {
    switches: {
      network: {
        ...pick(args, [...COMMON, "multicast", "management"]),
        ...(args.management !== undefined && lowKeys(args)),
        nodes: nodes(["zone", ...(args.management === undefined ? [] : PORT_KEYS)]),
      },
    },
    gatewayRouters: {
      network: {
        ...pick(args, [
          ...COMMON,
          "joinSubnets",
          "masquerade",
          "networkId",
          "snat",
          "snatPorts",
          "gatewayRouterCtCommitAll",
          "advertised",
          "neighbors",
          "upgrade",
        ]),
        nodes: nodes(["topology"]),
      },
      own: own(["id", "zone", "chassis", "external", "furtherExternals"]),
    },
    gateways: {
      network: {
        ...pick(args, [
          ...COMMON,
          ...TRANSIT,
          "gatewayAddresses",
          "mtu",
          "ctCommitAll",
          "gatewayMode",
          "routerAdvertisements",
          "management",
          "snatPorts",
          "upgrade",
        ]),
        ...routeImport(args),
        ...(mayBe(args.upgrade, "announce") ? { workloads: args.workloads } : lowKeys(args)),
        nodes: nodes(["zone", "chassis", "topology", ...PORT_KEYS, ...outside(args)]),
      },
      own: own(["zone", "hostAddresses", ...(mayBe(args.gatewayMode, "local") ? ["external"] : [])]),
    },
    nodes: { network: { ...NETWORK, ...pick(args, ["upgrade"]), nodes: nodes(["chassis", "topology", ...PORT_KEYS]) } },
    workloads: { network: { ...pick(args, [...COMMON, "workloads"]), nodes: nodes(["zone", "chassis"]) } },
    remoteChassis: { network: { ...pick(args, [...COMMON]), nodes: nodes(["zone", "chassis", "tunnelAddresses", "encapsulation", "additionalChassis"]) } },
    gateway: { network: { ...pick(args, ["name", "subnets", "gatewayAddresses"]), nodes: {} } },
    transitSubnets: { network: { ...pick(args, ["name", "subnets", ...TRANSIT]), nodes: nodes(outside(args)) } },
    workload: (name: string) => ({ network: { ...pick(args, ["name", "subnets"]), workloads: { [name]: args.workloads![name] }, nodes: {} } }),
    names: {
      network: {
        ...NETWORK,
        ...pick(args, ["name"]),
        ...(args.management !== undefined && { management: {} }),
        ...(args.advertised !== undefined && { advertised: {}, ...routeImport(args) }),
        nodes: nodes(["zone"]),
        workloads: pickEach(args.workloads ?? {}, ["portName"], WORKLOAD),
      },
    },
    outside: {
      network: {
        ...NETWORK,
        ...pick(args, ["name"]),
        ...(args.masquerade !== undefined && { masquerade: {}, networkId: 1 }),
        nodes: nodes(["zone", "chassis", "external", "furtherExternals", "hostAddresses"]),
      },
    },
    masquerade: { network: { ...NETWORK, ...pick(args, ["subnets", "joinSubnets", "masquerade", "networkId"]), nodes: {} } },
    chassis: { network: { ...NETWORK, nodes: nodes(["zone", "chassis", "tunnelAddresses", "encapsulation", "additionalChassis"]) } },
    egress: {
      network: {
        ...pick(args, [...COMMON, ...TRANSIT, "management", "upgrade"]),
        nodes: mapped(args.nodes, (node) => ({
          ...pick(node, ["id", "zone", "topology", "hostAddresses"]),
          external: pick(node.external, ["addresses", "nextHops", "networkName", "vlan"]),
          // A chosen transit subnet depends on no other argument of these networks.
          ...(node.furtherExternals !== undefined && { furtherExternals: pickEach(node.furtherExternals, ["addresses"]) }),
        })),
        workloads: pickEach(args.workloads ?? {}, ["node", "addresses", "migration"]),
      },
    },
  } as const;
}

/** Arguments of learned routes, without the lists of an advertised network. */
function routeImport({ advertised }: LooseNetworkArgs): LooseArgs {
  if (!hasEntries(advertised)) return advertised === undefined ? {} : { advertised };
  return advertised["importRoutes"] === undefined ? {} : { advertised: pick(advertised, ["importRoutes"]) };
}

/** Arguments that decide the choice of transit subnets, in addition to addresses outside. */
const TRANSIT = ["joinSubnets", "transitSubnets", "masquerade", "networkId"];

/** Arguments that port keys on the switch depend on: the keys of its own ports, which leave room for the nodes' keys. */
const PORT_KEYS = ["id", "switchPortKey"];

/** Workloads whose keys the switch's own ports make room for, or may have to. */
function lowKeys({ workloads = {} }: LooseNetworkArgs): LooseArgs {
  const low = Object.entries(workloads).flatMap(([name, workload]) => {
    if (!hasEntries(workload)) return [[name, workload]];
    const { tunnelKey } = workload;
    const mayBeLow = typeof tunnelKey === "number" ? tunnelKey < FIRST_FREE_PORT_KEY : tunnelKey !== undefined;
    return mayBeLow ? [[name, { ...WORKLOAD, tunnelKey }]] : [];
  });
  return low.length === 0 ? {} : { workloads: Object.fromEntries(low) as LooseArgs };
}

/** Arguments that a chosen transit subnet must avoid: the networks and the hosts outside. Empty if all transit subnets are given. */
function outside({ transitSubnets, subnets }: LooseNetworkArgs): string[] {
  return Array.isArray(transitSubnets) && Array.isArray(subnets) && transitSubnets.length >= subnets.length
    ? []
    : ["external", "furtherExternals", "hostAddresses"];
}

/** Whether an argument has this value, or may turn out to have it. */
function mayBe(argument: unknown, value: string): boolean {
  return argument !== undefined && (typeof argument !== "string" || argument === value);
}

/** The network that the arguments of a part describe, now that they are known. Throws ArgumentError for what no network can have. */
export function partialNetwork(args: LooseNetworkArgs): ResolvedNetwork {
  const spec = accepted(layer2NetworkSchema, args);
  const failures = new Failures();
  const network = resolve(spec, failures);
  failures.throwIfAny();
  return network;
}

/** Parts of the plan, from what each depends on. */
export const partOf = {
  switch: (network: ResolvedNetwork, node: string): Layer2SwitchArgs => switchArgs(network, nodeOf(network, node)),
  gatewayRouter: (network: ResolvedNetwork, own: ResolvedNetwork): GatewayRouterArgs => gatewayRouterArgs(network, own.nodes[0]!),
  gateway: (network: ResolvedNetwork, own: ResolvedNetwork): Omit<Layer2GatewayArgs, "nodes"> => gatewayArgs(network, own.nodes[0]!),
  workloads: (network: ResolvedNetwork, node: string) => workloadsArgs(network, nodeOf(network, node)),
  remoteChassis: (network: ResolvedNetwork, node: string) => common(network, nodeOf(network, node)),
  members: { nodes: nodesList, chassis: chassisList, workloads: workloadsList },
  defaultGateway,
  transitSubnets: ({ transits }: ResolvedNetwork): string[] => transits.map(formatPrefix),
  egress: compactPlanOf,
  claims: { names: nameClaims, outside: outsideClaims, masquerade: masqueradeClaims, chassis: chassisClaims },
  workload: (network: ResolvedNetwork): WorkloadPlan => workloadPlan(network, network.workloads[0]!),
};

function nodeOf({ nodes }: ResolvedNetwork, wanted: string): ResolvedNode {
  return nodes.find(({ name }) => name === wanted)!;
}
