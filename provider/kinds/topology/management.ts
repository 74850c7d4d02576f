import { type Ip, type Prefix, contains, formatIp, formatPrefix, macOfIp, matchString, networkOf, ofFamily, parseIp, parsePrefix } from "../../kit/address";
import type { DesiredRow, Reference } from "../../backends/rows/set";
import type { Failures } from "../../kit/arguments/failures";
import { inOrder, readPrefix } from "./fields";
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

/** Policies and source translation that lead packets to the host behind the management port, and policies for the node's addresses. */
export function managementPolicies(
  { management, gateway, switchName }: Pick<TransitRouterSpec, "management" | "gateway" | "switchName">,
  router: FirstRouter,
): DesiredRow[] {
  if (!management) return [];
  const addresses = inOrder(management.addresses).map(parseIp);
  const mac = management.mac ?? macOfIp(addresses[0]!);
  const subnets = gateway.addresses.map((address) => networkOf(parsePrefix(address)));
  const translations = inOrder(management.masqueradeAddresses).map((externalIp) => {
    const logicalIp = formatPrefix(ofFamily(subnets, parseIp(externalIp).family)!);
    const key = `${router.name} snat ${logicalIp} to management`;
    return snat({
      router: router.reference,
      key,
      externalIp,
      logicalIp,
      logicalPort: router.ports[0]!,
      match: `eth.dst == ${mac}`,
      ports: management.snatPorts,
    });
  });
  return [
    ...translations,
    ...[...inOrder(management.hostAddresses), ...inOrder(management.services)].map((destination) => hostPolicy(switchName, router, destination, addresses)),
  ];
}

/** Services behind the management port, of which some can't be meant, whichever argument has them. */
export function checkServices(
  services: readonly string[],
  { subnets, hostAddresses }: { readonly subnets: readonly Prefix[]; readonly hostAddresses: readonly string[] },
  failures: Failures,
): void {
  services.forEach((text, index) => {
    const path = `management.services[${index}]`;
    const service = readPrefix(text);
    const inside = subnets.find((subnet) => subnet.length <= service.length && contains(subnet, service));
    const within = subnets.find((subnet) => service.length > 0 && service.length < subnet.length && contains(service, subnet));
    if (service.length === 0) failures.add(path, "value", `${text} is everything: that is gateway mode "local"`);
    if (inside) failures.add(path, "overlap", `${text} is in the network's own subnet ${formatPrefix(inside)}`);
    if (within) failures.add(path, "overlap", `${text} holds the network's own subnet ${formatPrefix(within)}`);
    if (hostAddresses.includes(text)) failures.add(path, "duplicate", `${text} is a host address already`);
    if (!ofFamily(subnets, service.family)) failures.add(path, "family", `${text} is IPv${service.family}, and the network has no subnet of that family`);
  });
}

/** Host addresses that the management port can't lead to, at the path of their list. */
export function checkHostAddresses(hostAddresses: readonly string[], management: readonly Ip[], path: string, failures: Failures): void {
  hostAddresses.forEach((text, index) => {
    const { family } = parseIp(text);
    if (management.some((address) => formatIp(address) === text)) failures.add(`${path}[${index}]`, "duplicate", `${text} is the management port's address`);
    if (!ofFamily(management, family))
      failures.add(`${path}[${index}]`, "family", `${text} is IPv${family}, and the management port has no address of that family`);
  });
}

/**
 * Not routes, as ovn-kubernetes has for services: the route that leads out of the network is one by source, and goes before a route to a
 * range that is larger than the network; and policies of egress addresses go before any route. The comment at the end of the match
 * names the network: that is how ovn-kubernetes finds its policies again.
 */
function hostPolicy(switchName: string, { reference, name, ports }: FirstRouter, destination: string, management: readonly Ip[]): DesiredRow {
  const { family } = readPrefix(destination);
  const inport = ports.length === 1 ? matchString(ports[0]!) : `{${ports.map(matchString).join(", ")}}`;
  const match = `inport == ${inport} && ip${family}.dst == ${destination} /* ${switchName} */`;
  const nextHops = [formatIp(ofFamily(management, family)!)];
  return routingPolicy({
    router: reference,
    key: `${name} ${NODE_ADDRESS_PRIORITY} ${destination}`,
    priority: NODE_ADDRESS_PRIORITY,
    match,
    action: "reroute",
    nextHops,
  });
}
