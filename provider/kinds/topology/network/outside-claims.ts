import { formatIp, macOfIp, parsePrefix } from "../../../kit/address";
import { propertyPath } from "../../../kit/arguments/failures";
import { sortedEntries } from "../../../kit/entries";
import type { ProgramClaim } from "../claims";
import { PORTS } from "../naming";
import type { ResolvedNetwork, ResolvedNode } from "./resolve";

/** A network outside. Equal arguments mean the same wire. */
interface Wire {
  readonly networkName: string;
  readonly vlan?: number | undefined;
}

/** A gateway router's part of a network outside. */
interface Outside extends Wire {
  readonly addresses: readonly string[];
  readonly mac?: string | undefined;
}

type Claim = Omit<ProgramClaim, "key" | "what" | "path">;
type PathOf = (...path: PropertyKey[]) => string;

/** Addresses and MACs on the networks outside: several networks' gateway routers are on one wire. */
export function outsideClaims({ spec, names, nodes }: ResolvedNetwork): ProgramClaim[] {
  return nodes.flatMap((node) => [
    // Gateway routers that share their host's addresses share them with each other.
    ...firstClaims(names, node, spec.masquerade && { says: ownOf(node) }),
    ...furtherClaims(names, node),
  ]);
}

function firstClaims(names: ResolvedNetwork["names"], node: ResolvedNode, shared: Pick<ProgramClaim, "says"> | undefined): ProgramClaim[] {
  const {
    name,
    spec: { external, hostAddresses },
  } = node;
  const at: PathOf = (...path) => propertyPath(["nodes", name, ...path]);
  const own: Claim = { ...ofRouter(name, name, "external"), ...shared };
  return [
    nameClaim("Logical_Switch_Port", names.localnetPort(external.bridge, name), `the external switch of node "${name}"`, at()),
    ...addressClaims(external, (index) => at("external", "addresses", index), own),
    ...hopClaims(external, name, external.nextHops, (index) => at("external", "nextHops", index)),
    ...hostAddresses.map((address, index) =>
      addressClaim(external, address, at("hostAddresses", index), { holder: `the host of node "${name}"`, says: ownOf(node) }),
    ),
    macClaim(external, at("external", "mac"), own),
  ];
}

/** The same of further networks outside, where gateway routers have addresses of their own always. */
function furtherClaims(names: ResolvedNetwork["names"], { name, spec }: ResolvedNode): ProgramClaim[] {
  return sortedEntries(spec.furtherExternals).flatMap(([key, { networkName = key, vlan, mac, addresses, routes }]): ProgramClaim[] => {
    const at: PathOf = (...path) => propertyPath(["nodes", name, "furtherExternals", key, ...path]);
    const outside: Outside = { networkName, vlan, mac, addresses };
    const own = ofRouter(name, `${name} ${key}`, `furtherExternals ${key}`);
    const named = (table: string, text: string) => nameClaim(table, text, `the external switch "${key}" of node "${name}"`, at());
    return [
      named("Logical_Switch", names.furtherExternalSwitch(key, name)),
      named("Logical_Switch_Port", names.furtherLocalnetPort(key, name)),
      named("Logical_Switch_Port", PORTS.furtherEtor(key, names.gatewayRouter(name))),
      ...addressClaims(outside, (index) => at("addresses", index), own),
      ...sortedEntries(routes).flatMap(([route, { nextHops }]) => hopClaims(outside, name, nextHops, (index) => at("routes", route, "nextHops", index))),
      macClaim(outside, at("mac"), own),
    ];
  });
}

const ownOf = ({ chassis }: ResolvedNode): string => `chassis "${chassis}"'s own`;

/** Networks made by one loop share the addresses of all nodes, or of none. */
const ofRouter = (node: string, group: string, alike: string): Claim => ({
  holder: `the gateway router of node "${node}"`,
  group,
  alike: { key: alike, remedy: "give the gateway routers of each network addresses of their own, or another networkName or vlan outside" },
});

const nameClaim = (table: string, name: string, holder: string, path: string): ProgramClaim => ({
  key: `${table} ${name}`,
  what: `the name ${name} of a ${table}`,
  holder,
  path,
  group: "name",
});

const addressClaim = (wire: Wire, address: string, path: string, claim: Claim): ProgramClaim => ({
  key: outsideKey(wire, address),
  what: `external address ${address}`,
  path,
  ...claim,
});

const addressClaims = (outside: Outside, path: (index: number) => string, claim: Claim): ProgramClaim[] =>
  outside.addresses.map((text, index) => addressClaim(outside, formatIp(parsePrefix(text)), path(index), claim));

const hopClaims = (wire: Wire, node: string, nextHops: readonly string[], path: (index: number) => string): ProgramClaim[] =>
  nextHops.map((address, index) => addressClaim(wire, address, path(index), { holder: `a next hop of node "${node}"`, says: "" }));

function macClaim(outside: Outside, path: string, claim: Claim): ProgramClaim {
  const mac = macOf(outside);
  return { key: outsideKey(outside, mac), what: `external MAC ${mac}`, path, ...claim };
}

/** Key of an address or MAC on a network outside. */
export function outsideKey({ networkName, vlan }: Wire, address: string): string {
  return JSON.stringify(["outside", networkName, vlan ?? 0, address]);
}

/** The MAC of a node's gateway router outside. */
export function macOutside({ spec: { external } }: ResolvedNode): string {
  return macOf(external);
}

function macOf({ mac, addresses }: Pick<Outside, "mac" | "addresses">): string {
  return mac ?? macOfIp(parsePrefix(addresses[0] ?? "0.0.0.0/0"));
}
