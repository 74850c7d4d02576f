import { kindOfType, namesOf, parseIp } from "@pulumi-ovn/provider";
import { didYouMean } from "@pulumi-ovn/provider/tools";
import { listed } from "../texts";
import { UpgradeError } from "./errors";
import { nameOf, type StackResource } from "../stack/resource";
import { isStage, isTopology, type Settings, type Topology } from "./settings";

export interface NetworkNode {
  readonly name: string;
  readonly zone: string;
  /** The chassis of its zone as far as the network knows them, the node's own first. */
  readonly chassis: readonly string[];
  /** Join addresses of its gateway router, without masks. */
  readonly joins: readonly string[];
}

/** Data of a network for an upgrade. */
export interface Network {
  /** Name of the `Layer2Network` in the stack. */
  readonly name: string;
  readonly urn: string;
  /** Nodes whose zones the stack writes. */
  readonly nodes: readonly NetworkNode[];
  /** Chassis of the other nodes, whose zones other stacks write. */
  readonly otherChassis: ReadonlySet<string>;
  readonly settings: Settings;
  /** Name of the Logical_Switch. */
  readonly switchName: string;
  /** Name of the Logical_Router that is one in all zones. */
  readonly transitRouter: string;
  /** Ports of hosts in the network: no workloads. */
  readonly managementPorts: readonly string[];
  /** Workloads by the name of their port. */
  readonly workloads: Readonly<Record<string, { readonly addresses: readonly string[]; readonly zone: string }>>;
  /** Whether a workload has an IPv6 address, in any zone: workloads of all zones receive the router advertisements of each zone. */
  readonly ipv6: boolean;
  /** How far zones must have come before an update of the network counts as done. */
  readonly waitFor: "southbound" | "chassis";
}

const NETWORK = "ovn:network:Layer2Network";

function isNetwork({ type }: StackResource): boolean {
  return type === NETWORK;
}

/** Names of the networks of a stack. */
export function networksOf(resources: readonly StackResource[]): string[] {
  return resources.filter(isNetwork).map(({ urn }) => nameOf(urn));
}

/** Selects the network by its name in the stack; without a name, the only network. Throws an UpgradeError if no network fits. */
export function chooseNetwork(resources: readonly StackResource[], wanted: string | undefined): string {
  const names = networksOf(resources).sort();
  const refuse = (why: string) => new UpgradeError("OVN_UPGRADE_NETWORK", why);
  if (names.length === 0) throw refuse("the stack makes no Layer2Network: nothing in it can be upgraded");
  if (wanted !== undefined && !names.includes(wanted))
    throw refuse(`the stack makes no Layer2Network ${JSON.stringify(wanted)}; it makes ${listed(names)}${didYouMean(wanted, names)}`);
  if (wanted === undefined && names.length > 1) throw refuse(`the stack makes several networks: say which with --network; it makes ${listed(names)}`);
  return wanted ?? names[0]!;
}

interface GatewayInputs {
  readonly zone: string;
  readonly network?: string;
  readonly node: string;
  readonly nodes: Readonly<Record<string, { readonly chassis?: string; readonly topology?: Topology }>>;
  readonly upgrade?: unknown;
  readonly switchName: string;
  readonly joinAddresses?: readonly string[];
}

/** Reads a network from the resources that it is made of. */
export function networkIn(resources: readonly StackResource[], name: string): Network {
  const component = resources.find((resource) => isNetwork(resource) && nameOf(resource.urn) === name)!;
  const own = resources.filter(({ parent }) => parent === component.urn);
  const of = (kind: string) => own.filter(({ type }) => kindOfType(type) === kind).map(({ inputs }) => inputs);
  const gateways = of("Layer2Gateway") as unknown as GatewayInputs[];
  const [first] = gateways;
  if (!first)
    throw new UpgradeError("OVN_UPGRADE_NETWORK", `Layer2Network ${JSON.stringify(name)} was made by an older release of pulumi-ovn: run pulumi up once`);
  const topologies = Object.entries(first.nodes).map(([node, { topology }]) => [node, isTopology(topology) ? topology : "transit"] as const);
  const zones = of("WorkloadPorts") as unknown as PortsInputs[];
  const further = chassisWithWorkloads(zones);
  const isOwn = new Set(gateways.map(({ node }) => node));
  return {
    name,
    urn: component.urn,
    nodes: gateways.map(({ zone, node, nodes, joinAddresses = [] }) => {
      const chassis = new Set([nodes[node]?.chassis ?? node, ...(further.get(zone) ?? [])]);
      return { name: node, zone, chassis: [...chassis], joins: joinAddresses };
    }),
    otherChassis: new Set(Object.entries(first.nodes).flatMap(([node, { chassis = node }]) => (isOwn.has(node) ? [] : [chassis]))),
    settings: { upgrade: isStage(first.upgrade) ? first.upgrade : undefined, nodes: Object.fromEntries(topologies) },
    switchName: first.switchName,
    transitRouter: namesOf(first.network ?? "").transitRouter,
    managementPorts: of("Layer2Switch").flatMap(({ managementPort }) => (managementPort as { name: string } | undefined)?.name ?? []),
    workloads: workloadsOf(zones),
    ipv6: zones.flatMap(({ ports }) => Object.values(ports)).some(({ addresses }) => addresses.some((address) => parseIp(address).family === 6)),
    waitFor: of("Propagation").some(({ waitFor }) => waitFor === "southbound") ? "southbound" : "chassis",
  };
}

interface PortsInputs {
  readonly zone: string;
  readonly ports: Readonly<Record<string, { readonly addresses: readonly string[]; readonly remote?: boolean; readonly chassis?: readonly string[] }>>;
}

function workloadsOf(zones: readonly PortsInputs[]): Network["workloads"] {
  const local = zones.flatMap(({ zone, ports }) =>
    Object.entries(ports).flatMap(([port, { addresses, remote = false }]) => (remote ? [] : [[port, { addresses, zone }] as const])),
  );
  return Object.fromEntries(local);
}

/** Chassis of each zone that have workloads. While one migrates between zones, the first of its two chassis is the other zone's. */
function chassisWithWorkloads(zones: readonly PortsInputs[]): ReadonlyMap<string, readonly string[]> {
  const owners = new Map<string, number>();
  const own = zones.map(({ zone, ports }) => [zone, Object.entries(ports).filter(([, { remote }]) => !remote)] as const);
  for (const [port] of own.flatMap(([, ports]) => ports)) owners.set(port, (owners.get(port) ?? 0) + 1);
  return new Map(own.map(([zone, ports]) => [zone, ports.flatMap(([port, { chassis = [] }]) => (owners.get(port)! > 1 ? chassis.slice(-1) : chassis))]));
}

/** The zone of every chassis. */
export function zoneOfChassis({ nodes }: Network): Map<string, string> {
  return new Map(nodes.flatMap(({ chassis, zone }) => chassis.map((name) => [name, zone] as const)));
}

/** Nodes whose topology differs. */
export function movedNodes(before: Settings["nodes"], after: Settings["nodes"]): string[] {
  return Object.keys(after).filter((node) => before[node] !== undefined && before[node] !== after[node]);
}
