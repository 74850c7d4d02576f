import { ArgumentError } from "../arguments/errors";
import type { Ip } from "./ip";
import { type Prefix, formatPrefix, nthAddress, sizeOf } from "./prefix";

/** Both ends of the link between a transit router and a node's gateway router. */
export interface TransitPair {
  /** Transit router side: the port trtor. */
  readonly router: Prefix;
  /** Gateway router side: the port rtotr. */
  readonly gateway: Prefix;
}

/** Largest node id that a transit subnet has a pair for. */
export function largestTransitId(transitSubnet: Prefix): bigint {
  return sizeOf(transitSubnet) / 2n - 1n;
}

/**
 * Largest node id that a join subnet has an address for: the last usable one is left free, because staged
 * upgrades give it to the upgrade port, and the very last is IPv4's broadcast address.
 */
export function largestJoinId(joinSubnet: Prefix): bigint {
  return sizeOf(joinSubnet) - 3n;
}

/** Node id n has base + 2n and base + 2n + 1, as /31 or /127 (RFC 3021, RFC 6164): two addresses and nothing else on the link. */
export function transitPair(transitSubnet: Prefix, nodeId: number): TransitPair {
  checkId(nodeId, largestTransitId(transitSubnet), "transit subnet", transitSubnet);
  const length = transitSubnet.family === 4 ? 31 : 127;
  const router = nthAddress(transitSubnet, 2 * nodeId);
  return { router: { ...router, length }, gateway: { ...router, value: router.value + 1n, length } };
}

/** A gateway router's join address, with the mask of the join subnet: base + node id. */
export function joinAddress(joinSubnet: Prefix, nodeId: number): Prefix {
  checkId(nodeId, largestJoinId(joinSubnet), "join subnet", joinSubnet);
  return { ...nthAddress(joinSubnet, nodeId), length: joinSubnet.length };
}

/** The address of the upgrade port, on every node the same: the last but one of the join subnet, with its mask. */
export function lastUsableJoinAddress(joinSubnet: Prefix): Prefix {
  return { ...nthAddress(joinSubnet, sizeOf(joinSubnet) - 2n), length: joinSubnet.length };
}

/** Addresses of a network in the masquerade subnet, which all networks of a host share. */
export interface MasqueradeAddresses {
  readonly gateway: Ip;
  readonly management: Ip;
}

const FIRST_NETWORK_MASQUERADE = 10;

/** Network id k: gateway routers have base + 10 + 2k - 1, management ports base + 10 + 2k. */
export function masqueradeAddresses(masqueradeSubnet: Prefix, networkId: number): MasqueradeAddresses {
  const management = FIRST_NETWORK_MASQUERADE + 2 * networkId;
  if (networkId < 1 || BigInt(management) > sizeOf(masqueradeSubnet) - 2n) {
    throw ArgumentError.of("", "out-of-range", `network id ${networkId} has no addresses in masquerade subnet ${formatPrefix(masqueradeSubnet)}`);
  }
  return { gateway: nthAddress(masqueradeSubnet, management - 1), management: nthAddress(masqueradeSubnet, management) };
}

/** Addresses of the host itself in the masquerade subnet. */
export function hostMasqueradeAddresses(masqueradeSubnet: Prefix): { readonly host: Ip; readonly nextHop: Ip } {
  return { host: nthAddress(masqueradeSubnet, 2), nextHop: nthAddress(masqueradeSubnet, 4) };
}

function checkId(nodeId: number, largest: bigint, what: string, subnet: Prefix): void {
  if (largest < 1n) throw ArgumentError.of("", "too-small", `${what} ${formatPrefix(subnet)} is too small: it has no addresses for any node`);
  if (nodeId < 1 || BigInt(nodeId) > largest) {
    throw ArgumentError.of("", "out-of-range", `node id ${nodeId} does not fit ${what} ${formatPrefix(subnet)}: ids from 1 to ${largest} do`);
  }
}
