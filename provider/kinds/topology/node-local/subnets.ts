import { type NamedSubnet, type Prefix, formatPrefix, macOfIp, nthAddress, parseSubnet } from "../../../kit/address";
import { inOrder } from "../fields";

/** .1 is the host's end of the local network, .2 the router's, on every host the same. */
const NEXT_HOP = 1;
const GATEWAY_PORT = 2;
export interface LocalSubnet {
  readonly subnet: Prefix;
  /** With the mask of the subnet. */
  readonly nextHop: Prefix;
  readonly gatewayPort: Prefix;
}

export function localSubnets(texts: readonly string[]): LocalSubnet[] {
  return inOrder(texts).map((text) => {
    const subnet = parseSubnet(text);
    const at = (offset: number): Prefix => ({ ...nthAddress(subnet, offset), length: subnet.length });
    return { subnet, nextHop: at(NEXT_HOP), gatewayPort: at(GATEWAY_PORT) };
  });
}

/** One MAC for both families, derived from IPv4 if there is an IPv4 subnet: 0a:58:a9:fe:00:01 and 0a:58:a9:fe:00:02 by default. */
export function localMacs(subnets: readonly LocalSubnet[]): { readonly nextHop: string; readonly gatewayPort: string } {
  const [first] = subnets as [LocalSubnet];
  return { nextHop: macOfIp(first.nextHop), gatewayPort: macOfIp(first.gatewayPort) };
}

/** Subnets that a node-local subnet must not overlap. These subnets may overlap each other. */
export function usedSubnets(subnets: readonly string[], used: Readonly<Record<string, readonly string[]>>): NamedSubnet[] {
  const others = Object.entries(used).flatMap(([path, texts]) =>
    texts.map((text, index) => ({ name: `subnet in ${path}`, path: `${path}[${index}]`, prefix: parseSubnet(text), group: "used" })),
  );
  return [...others, ...subnets.map((text, index) => ({ name: "node-local subnet", path: `subnets[${index}]`, prefix: parseSubnet(text) }))];
}

/** As the host has to configure them. */
export function texts(prefixes: readonly Prefix[]): string[] {
  return prefixes.map(formatPrefix);
}
