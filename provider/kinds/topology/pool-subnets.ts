import { type Prefix, parseSubnet, sizeOf } from "../../kit/address";
import type { Failures } from "../../kit/arguments/failures";

/**
 * 169.254.0.0/20 as ovn-kubernetes had it. Its fd99::/64 is the join subnet of layer-2 networks by now, whose addresses
 * are reached through the same router: so another one here.
 */
export const DEFAULT_SUBNETS = ["169.254.0.0/20", "fd99:1::/64"];

/** Set aside at the beginning of every subnet by default: the host's and the router's address in a node-local one. */
export const SET_ASIDE = 2;

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
