import { type Prefix, formatPrefix, overlaps, parseSubnet } from "../../../kit/address";
import { ArgumentError } from "../../../kit/arguments/errors";
import type { NetworkAdvertisedArgs } from "./args/advertised-args";

/** Properties of an advertised network that decide about its isolation. */
export interface AdvertisedSubnets {
  readonly subnets: readonly string[];
  readonly advertised: NetworkAdvertisedArgs;
}

/**
 * The arguments of an advertised network, isolated from those that the program has made before it. The later one of two networks drops
 * both directions, so that a new network changes no row of an earlier one. Packets of networks with the same addresses can't be distinguished:
 * nothing is dropped between them.
 */
export function isolatedFrom(own: AdvertisedSubnets, earlier: readonly AdvertisedSubnets[]): NetworkAdvertisedArgs {
  const { isolateFrom = [], dropFrom = [], isolate = true } = own.advertised;
  if (!isolate || !Array.isArray(isolateFrom) || !Array.isArray(dropFrom)) return own.advertised;
  const ownSubnets = readable(own.subnets);
  const [more, into]: [Set<string>, Set<string>] = [new Set(), new Set()];
  const [already, coming] = [isolateFrom, dropFrom].map((list) => new Set(readable(list).map(([text]) => text)));
  for (const { subnets, advertised } of earlier) {
    if (advertised.isolate === false) continue;
    const others = new Set(readable(advertised.isolateFrom ?? []).map(([text]) => text));
    for (const [text, prefix] of readable(subnets)) {
      const facing = ownSubnets.filter(([, { family }]) => family === prefix.family);
      if (facing.length === 0 || facing.some(([, subnet]) => overlaps(subnet, prefix))) continue;
      if (!already!.has(text)) more.add(text);
      if (!coming!.has(text) && !facing.every(([subnet]) => others.has(subnet))) into.add(text);
    }
  }
  return {
    ...own.advertised,
    ...(more.size > 0 && { isolateFrom: [...isolateFrom, ...more] }),
    ...(into.size > 0 && { dropFrom: [...dropFrom, ...into] }),
  };
}

/** In the one text form. Malformed ones are refused where they are given. */
function readable(subnets: readonly string[]): [text: string, prefix: Prefix][] {
  return (Array.isArray(subnets) ? (subnets as unknown[]) : []).flatMap((text): [string, Prefix][] => {
    if (typeof text !== "string") return [];
    try {
      const prefix = parseSubnet(text);
      return [[formatPrefix(prefix), prefix]];
    } catch (error) {
      if (error instanceof ArgumentError) return [];
      throw error;
    }
  });
}
