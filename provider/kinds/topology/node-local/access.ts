import { ArgumentError } from "../../../kit/arguments/errors";
import { validate } from "../../../kit/arguments/validate";
import { parseSubnet } from "../../../kit/address";
import { Failures, propertyPath } from "../../../kit/arguments/failures";
import { Holders } from "../holders";
import { sortedEntries } from "../../../kit/entries";
import { type NodeLocalAccessArgs, type NodeLocalAccessSpec, nodeLocalAccessSchema } from "./access-args";
import type { NodeLocalBridgeArgs } from "./bridge";
import type { NodeLocalGatewayArgs, NodeLocalNodeArgs } from "./gateway-args";
import { type AddressPoolArgs, checkFixed } from "../address-pool";
import type { ProgramClaim } from "../claims";
import { SET_ASIDE, checkRoom, poolRange } from "../pool-subnets";
import { nodeLocalClaims } from "./claims";
import { checkHosts, checkSubnets } from "./gateway-check";

/** The arguments of every resource. The caller that creates them adds the nodes' addresses, which the pool assigns. */
export interface NodeLocalAccessPlan {
  readonly pool: AddressPoolArgs;
  /** Gateways by zone. */
  readonly gateways: Readonly<Record<string, GatewayPlan>>;
  /** Bridges by node. */
  readonly bridges: Readonly<Record<string, NodeLocalBridgeArgs>>;
  /** Values that no other component of the program may use. */
  readonly claims: readonly ProgramClaim[];
}

export type GatewayPlan = Omit<NodeLocalGatewayArgs, "nodes"> & { readonly nodes: Readonly<Record<string, Omit<NodeLocalNodeArgs, "addresses">>> };

/** Pure. Throws ArgumentError with everything that is wrong. */
export function expandNodeLocalAccess(args: NodeLocalAccessArgs): NodeLocalAccessPlan {
  const shape = validate(nodeLocalAccessSchema, args);
  if (shape.length > 0) throw new ArgumentError(shape);
  const spec = nodeLocalAccessSchema.parse(args);
  check(spec);
  const { subnets, switchName, networkName, bridge, port, mtu, datapathType, externalIds } = spec;
  const marks = externalIds && { externalIds };
  const hosts = sortedEntries(spec.zones).flatMap(([zone, { nodes }]) => sortedEntries(nodes).map(([node, host]) => ({ node, zone: host.hostZone ?? zone })));
  const bridgeArgs = { subnets, switchName, networkName, bridge, port, datapathType, ...(mtu !== undefined && { mtu }), ...marks };
  return {
    pool: { owners: hosts.map(({ node }) => node).sort(), subnets, fixed: spec.addresses },
    gateways: Object.fromEntries(sortedEntries(spec.zones).map(([zone, part]) => [zone, { ...gatewayPlan(spec, zone, part), ...marks }])),
    bridges: Object.fromEntries(hosts.map(({ node, zone }) => [node, { zone, ...bridgeArgs }])),
    claims: nodeLocalClaims(
      spec,
      hosts.map(({ zone }) => zone),
    ),
  };
}

function gatewayPlan(spec: NodeLocalAccessSpec, zone: string, { router, gateway, nodes }: NodeLocalAccessSpec["zones"][string]): GatewayPlan {
  const { subnets, usedSubnets: used, switchName, networkName, gatewayMode, clusterSubnets, defaultRoute } = spec;
  const bound = gateway ?? Object.keys(nodes).sort()[0]!;
  const own = sortedEntries(nodes).map(
    ([
      node,
      {
        routerPort,
        hostAddresses,
        management: { addresses, port },
      },
    ]) => {
      const management = { addresses, ...(port !== undefined && { port }) };
      return [node, { routerPort, hostAddresses, management }] as const;
    },
  );
  const chassis = [nodes[bound]!.chassis ?? bound];
  return {
    zone,
    router,
    chassis,
    subnets,
    usedSubnets: used,
    switchName,
    networkName,
    gatewayMode,
    clusterSubnets,
    ...(defaultRoute && { defaultRoute }),
    nodes: Object.fromEntries(own),
  };
}

function check(spec: NodeLocalAccessSpec): void {
  const failures = new Failures();
  if (Object.keys(spec.zones).length === 0) failures.add("zones", "required", "needs at least one zone");
  checkSubnets(spec, failures);
  const holders = new Holders(failures);
  for (const [zone, { nodes, gateway }] of sortedEntries(spec.zones)) {
    const known = Object.keys(nodes).sort();
    if (known.length === 0) failures.add(propertyPath(["zones", zone, "nodes"]), "required", "needs at least one node");
    if (gateway !== undefined && !Object.hasOwn(nodes, gateway)) {
      failures.add(propertyPath(["zones", zone, "gateway"]), "unknown-node", `"${gateway}" is not one of the zone's nodes: ${known.join(", ")}`);
    }
    checkHosts({ subnets: spec.subnets, nodes }, ["zones", zone, "nodes"], failures);
    for (const [node, { hostZone = zone }] of sortedEntries(nodes)) {
      const path = propertyPath(["zones", zone, "nodes", node]);
      holders.take("node", node, `zone "${zone}"`, path);
      holders.take("host of zone", hostZone, `node "${node}"`, path);
    }
  }
  checkAddresses(spec, failures);
  failures.throwIfAny();
}

/** Every node needs one address of each subnet; those that the pool has to give are checked here too, ahead of any resource. */
function checkAddresses({ zones, subnets, addresses }: NodeLocalAccessSpec, failures: Failures): void {
  const nodes = Object.values(zones).flatMap((zone) => Object.keys(zone.nodes));
  const holders = new Holders(failures);
  checkFixed(addresses, subnets.map(parseSubnet), SET_ASIDE, "addresses", failures);
  for (const [node, own] of sortedEntries(addresses)) {
    own.forEach((address, index) => holders.take("node-local address", address, node, propertyPath(["addresses", node, index])));
    if (!nodes.includes(node)) failures.add(propertyPath(["addresses", node]), "unknown-node", `"${node}" is not one of the nodes: ${nodes.sort().join(", ")}`);
  }
  if (!checkRoom(subnets, SET_ASIDE, "subnets", failures)) return;
  subnets.forEach((text, index) => {
    const { first, last } = poolRange(parseSubnet(text), SET_ASIDE);
    const room = last - first + 1n;
    if (BigInt(nodes.length) > room)
      failures.add(`subnets[${index}]`, "exhausted", `${text} has addresses for ${room} nodes, and there are ${nodes.length}: take a larger subnet`);
  });
}
