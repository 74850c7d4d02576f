import { type Ip, formatIp, formatPrefix, macOfIp, matchString, networkOf, ofFamily, parseIp, parsePrefix } from "../address";
import type { DesiredRow, Reference } from "../rows/rowset";
import { inOrder } from "./fields";
import { routingPolicy, snat } from "./routing";
import type { TransitRouterSpec } from "./transit-router/args";

/** Above inter-node and egress policies, below the management port's. */
const NODE_ADDRESS_PRIORITY = 1004;

/** The router that workloads meet first: the transit router, or the gateway router in the gateway topology. */
export interface FirstRouter {
  readonly reference: Reference;
  readonly name: string;
  /** Its ports on the layer-2 switch; the first one has the gateway's addresses. */
  readonly ports: readonly string[];
}

/** What leads packets to the host behind the management port: translation of their source, and policies for the node's addresses. */
export function managementPolicies({ management, gateway, switchName }: Pick<TransitRouterSpec, "management" | "gateway" | "switchName">, router: FirstRouter): DesiredRow[] {
  if (!management) return [];
  const addresses = inOrder(management.addresses).map(parseIp);
  const mac = management.mac ?? macOfIp(addresses[0]!);
  const subnets = gateway.addresses.map((address) => networkOf(parsePrefix(address)));
  const translations = inOrder(management.masqueradeAddresses).map((externalIp) => {
    const logicalIp = formatPrefix(ofFamily(subnets, parseIp(externalIp).family)!);
    const key = `${router.name} snat ${logicalIp} to management`;
    return snat({ router: router.reference, key, externalIp, logicalIp, logicalPort: router.ports[0]!, match: `eth.dst == ${mac}` });
  });
  return [...translations, ...inOrder(management.hostAddresses).map((address) => nodeAddressPolicy(switchName, router, parseIp(address), addresses))];
}

/** The comment at the end of the match names the network: that is how ovn-kubernetes finds its policies again. */
function nodeAddressPolicy(switchName: string, { reference, name, ports }: FirstRouter, host: Ip, management: readonly Ip[]): DesiredRow {
  const address = formatIp(host);
  const inport = ports.length === 1 ? matchString(ports[0]!) : `{${ports.map(matchString).join(", ")}}`;
  const match = `inport == ${inport} && ip${host.family}.dst == ${address} /* ${switchName} */`;
  const nextHops = [formatIp(ofFamily(management, host.family)!)];
  return routingPolicy({ router: reference, key: `${name} ${NODE_ADDRESS_PRIORITY} ${address}`, priority: NODE_ADDRESS_PRIORITY, match, action: "reroute", nextHops });
}
