import { type NamedSubnet, type Prefix, formatPrefix, macOfIp, nthAddress, parseSubnet, sizeOf } from "../../address";
import type { Failures } from "../failures";
import { inOrder } from "../fields";

/**
 * 169.254.0.0/20 as ovn-kubernetes had it. Its fd99::/64 is the join subnet of layer-2 networks by now, whose addresses
 * are reached through the same router: so another one here.
 */
export const DEFAULT_SUBNETS = ["169.254.0.0/20", "fd99:1::/64"];

/** .1 is the host's end of the local network, .2 the router's, on every host the same. */
const NEXT_HOP = 1;
const GATEWAY_PORT = 2;
/** Set aside at the beginning of every node-local subnet. */
export const SET_ASIDE = 2;

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

/** One MAC for both families, from IPv4 where there is one: 0a:58:a9:fe:00:01 and 0a:58:a9:fe:00:02 by default. */
export function localMacs(subnets: readonly LocalSubnet[]): { readonly nextHop: string; readonly gatewayPort: string } {
  const [first] = subnets as [LocalSubnet];
  return { nextHop: macOfIp(first.nextHop), gatewayPort: macOfIp(first.gatewayPort) };
}

/** The first and the last address of a subnet that an owner may get. */
export function poolRange(subnet: Prefix, setAside: number): { readonly first: bigint; readonly last: bigint } {
  return { first: BigInt(setAside) + 1n, last: subnet.family === 4 ? sizeOf(subnet) - 2n : sizeOf(subnet) - 1n };
}

/** A subnet without room for a single owner. */
export function checkRoom(texts: readonly string[], setAside: number, path: string, failures: Failures): boolean {
  const small = texts.filter((text) => {
    const { first, last } = poolRange(parseSubnet(text), setAside);
    return first > last;
  });
  for (const text of small) {
    failures.add(`${path}[${texts.indexOf(text)}]`, "too-small", `${text} has no address left after the ${setAside} that are set aside: take a larger subnet`);
  }
  return small.length === 0;
}

/** What a node-local subnet must not overlap; others may overlap each other. */
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
