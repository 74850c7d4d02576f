import {
  type Family,
  type Ip,
  type Prefix,
  chooseTransitSubnet,
  contains,
  hostPrefix,
  macOfIp,
  masqueradeAddresses,
  networkOf,
  ofFamily,
  parseIp,
  parsePrefix,
  parseSubnet,
  workloadPortKey,
} from "../../../kit/address";
import { type Failures, propertyPath } from "../../../kit/arguments/failures";
import { inOrder } from "../fields";
import { namesOf } from "../naming";
import { type OwnPortKeys, ownPortKeys, reservedKeys } from "../own-port-keys";
import { sortedEntries } from "../../../kit/entries";
import type { Layer2NetworkSpec } from "./args/args";

const DEFAULTS = {
  join: { 4: "100.65.0.0/16", 6: "fd99::/64" },
  transit: { 4: "100.88.0.0/16", 6: "fd97::/64" },
  masquerade: { 4: "169.254.0.0/17", 6: "fd69::/112" },
} as const;

export interface ResolvedNode {
  readonly name: string;
  readonly zone: string;
  readonly chassis: string;
  /** Chassis of the zone in addition to the node's own. */
  readonly additionalChassis: readonly (readonly [name: string, spec: Layer2NetworkSpec["nodes"][string]["additionalChassis"][string]])[];
  readonly spec: Layer2NetworkSpec["nodes"][string];
}

export interface ResolvedWorkload {
  readonly name: string;
  readonly portName: string;
  readonly addresses: readonly Ip[];
  readonly mac: string;
  /** undefined when the address has no key; that is a failure already. */
  readonly tunnelKey: number | undefined;
  readonly spec: Layer2NetworkSpec["workloads"][string];
}

/** The arguments with everything that derives from them. Lists of addresses and subnets have IPv4 first. */
export interface ResolvedNetwork {
  readonly spec: Layer2NetworkSpec;
  readonly names: ReturnType<typeof namesOf>;
  readonly subnets: readonly Prefix[];
  /** With the masks of their subnets. */
  readonly gateways: readonly Prefix[];
  readonly gatewayMac: string;
  readonly joins: readonly Prefix[];
  readonly transits: readonly Prefix[];
  readonly management: { readonly addresses: readonly Ip[]; readonly mac: string } | undefined;
  readonly masquerade: ResolvedMasquerade | undefined;
  /** Keys of the switch's own ports. */
  readonly portKeys: OwnPortKeys;
  readonly nodes: readonly ResolvedNode[];
  readonly workloads: readonly ResolvedWorkload[];
}

interface ResolvedMasquerade {
  readonly subnets: readonly Prefix[];
  readonly gateways: readonly Ip[];
  readonly managements: readonly Ip[];
}

/** Arguments that every resource of a zone has. */
export function common({ spec }: ResolvedNetwork, { zone }: ResolvedNode) {
  return { zone, ...(spec.externalIds && { externalIds: spec.externalIds }) };
}

export function resolve(spec: Layer2NetworkSpec, failures: Failures): ResolvedNetwork {
  const subnets = inOrder(spec.subnets).map(parseSubnet);
  const gateways = addressesAt(subnets, spec.gatewayAddresses, 1n);
  // Links may have a family that the network lacks.
  const families = ([4, 6] as const).filter((family) => ofFamily([...subnets, ...spec.joinSubnets.map(parseSubnet)], family));
  const joins = perFamily(families, spec.joinSubnets, DEFAULTS.join);
  const masquerade = spec.masquerade && resolveMasquerade(spec, families, failures);
  return {
    spec,
    names: namesOf(spec.name),
    subnets,
    gateways,
    gatewayMac: macOfIp(gateways[0]!),
    joins,
    transits: transitSubnets(spec, families, [...subnets, ...joins, ...(masquerade?.subnets ?? [])], failures),
    management: spec.management && resolveManagement(spec.management, subnets),
    masquerade,
    portKeys: ownPortKeys(Object.values(spec.nodes), reservedKeys(Object.values(spec.workloads))),
    nodes: sortedEntries(spec.nodes).map(([name, node]) => resolveNode(name, node)),
    workloads: sortedEntries(spec.workloads).map(([name, workload]) => resolveWorkload(name, workload, subnets, failures)),
  };
}

function perFamily(families: readonly Family[], given: readonly string[], defaults: Readonly<Record<Family, string>>): Prefix[] {
  const prefixes = given.map(parseSubnet);
  return families.map((family) => ofFamily(prefixes, family) ?? parseSubnet(defaults[family]));
}

function transitSubnets(spec: Layer2NetworkSpec, families: readonly Family[], others: readonly Prefix[], failures: Failures): Prefix[] {
  const given = spec.transitSubnets.map(parseSubnet);
  const nodes = Object.values(spec.nodes);
  const externals = nodes.flatMap(({ external }) => external.addresses.map((address) => networkOf(parsePrefix(address))));
  // In this order: what a network was given before its hosts' addresses counted, it keeps.
  const hosts = nodes.flatMap(({ hostAddresses }) => hostAddresses.map((address) => hostPrefix(parseIp(address))));
  const further = nodes.flatMap(({ furtherExternals }) =>
    Object.values(furtherExternals).flatMap(({ addresses }) => addresses.map((address) => networkOf(parsePrefix(address)))),
  );
  const taken = [...others, ...externals, ...hosts, ...further];
  return families.map((family) => {
    const start = parseSubnet(DEFAULTS.transit[family]);
    return ofFamily(given, family) ?? failures.attempt("transitSubnets", () => chooseTransitSubnet(start, taken)) ?? start;
  });
}

/** Returns the given address of each subnet, or the address at the default offset. Whether it fits is checked later, with the other values. */
function addressesAt(subnets: readonly Prefix[], given: readonly string[], offset: bigint): Prefix[] {
  return subnets.map((subnet) => ({ ...(ofFamily(given.map(parseIp), subnet.family) ?? { ...subnet, value: subnet.value + offset }), length: subnet.length }));
}

function resolveManagement(spec: NonNullable<Layer2NetworkSpec["management"]>, subnets: readonly Prefix[]) {
  const addresses = addressesAt(subnets, spec.addresses, 2n);
  return { addresses, mac: spec.mac ?? macOfIp(addresses[0]!) };
}

function resolveMasquerade(spec: Layer2NetworkSpec, families: readonly Family[], failures: Failures): ResolvedMasquerade | undefined {
  if (spec.networkId === undefined) {
    failures.add("networkId", "required", "is required with masquerade: the addresses derive from it");
    return undefined;
  }
  const subnets = perFamily(families, spec.masquerade!.subnets, DEFAULTS.masquerade);
  const pairs = subnets.map((subnet) => failures.attempt("networkId", () => masqueradeAddresses(subnet, spec.networkId!)));
  if (pairs.some((pair) => pair === undefined)) return undefined;
  return { subnets, gateways: pairs.map((pair) => pair!.gateway), managements: pairs.map((pair) => pair!.management) };
}

function resolveNode(name: string, spec: ResolvedNode["spec"]): ResolvedNode {
  return { name, zone: spec.zone ?? name, chassis: spec.chassis ?? name, additionalChassis: sortedEntries(spec.additionalChassis), spec };
}

function resolveWorkload(name: string, spec: ResolvedWorkload["spec"], subnets: readonly Prefix[], failures: Failures): ResolvedWorkload {
  const addresses = inOrder(spec.addresses).map(parseIp);
  const [first] = addresses as [Ip];
  const subnet = subnets.find((candidate) => contains(candidate, first));
  const derived = () => (subnet && first.value > subnet.value ? workloadPortKey(first.value - subnet.value) : undefined);
  const tunnelKey = spec.tunnelKey ?? failures.attempt(propertyPath(["workloads", name, "tunnelKey"]), derived);
  return { name, portName: spec.portName ?? name, addresses, mac: spec.mac ?? macOfIp(first), tunnelKey, spec };
}
