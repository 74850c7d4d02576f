import { ArgumentError } from "../arguments/errors";

/** Both ends belong to the range. */
export interface KeyRange {
  readonly first: number;
  readonly last: number;
}

/** Datapath keys that northd never gives out by itself: the last 65536 of 24 bits, for switches and routers that span zones. */
export const GLOBAL_DATAPATH_KEYS: KeyRange = { first: 16_711_681, last: 16_777_215 };

/** Legacy keys of transit switches: this base + network id, for network ids below 4096. Not in the pool. */
export const LEGACY_KEY_BASE = 16_711_683;
export const LEGACY_NETWORK_IDS = 4_096;

/** Keys given out centrally, above the legacy range (OKEP-5094, option 3). */
export const POOL_DATAPATH_KEYS: KeyRange = { first: LEGACY_KEY_BASE + LEGACY_NETWORK_IDS, last: GLOBAL_DATAPATH_KEYS.last };

/** Datapath keys have 24 bits in Geneve. */
export const DATAPATH_KEYS: KeyRange = { first: 1, last: 16_777_215 };

/** Port keys have 15 bits: the upper half of 16 belongs to multicast groups. */
export const PORT_KEYS: KeyRange = { first: 1, last: 32_767 };

/**
 * Keys that fit into a VXLAN header: 12 bits each; the upper half of port keys is for multicast groups. (ovn-architecture(7), Tunnel
 * Encapsulations)
 */
export const VXLAN_DATAPATH_KEYS: KeyRange = { first: 1, last: 4_095 };
export const VXLAN_PORT_KEYS: KeyRange = { first: 1, last: 2_047 };

/** The port trtos, and 2 to 9 for others that a transit router may get. */
export const SWITCH_PORT_KEY = 1;
/** First key above those reserved for a datapath's own ports. */
export const FIRST_FREE_PORT_KEY = 10;
/** Above it, 10 + id is not a port key. */
export const LARGEST_NODE_ID = PORT_KEYS.last - FIRST_FREE_PORT_KEY;

/** The key of the port trtor of a node: 10 + node id, the same in every zone. */
export function transitPortKey(nodeId: number): number {
  return keyAfterReserved(nodeId, "node id");
}

/**
 * Key of a workload's port: 10 + offset of its address in the subnet. It depends only on the address, so it never changes when other workloads
 * are added or removed.
 */
export function workloadPortKey(offset: bigint): number {
  return keyAfterReserved(offset, "address offset");
}

/**
 * The key of a node's gateway router on the layer-2 switch, the same in every zone: 32768 - node id. Workloads' keys grow
 * from the other end, so that the two meet only far up in a large subnet.
 */
export function gatewayPortKey(nodeId: number): number {
  transitPortKey(nodeId);
  return PORT_KEYS.last + 1 - nodeId;
}

function keyAfterReserved(number: number | bigint, what: string): number {
  if (number < 1 || number > LARGEST_NODE_ID) {
    throw ArgumentError.of(
      "",
      "out-of-range",
      `${what} ${number} has no port key: ${what}s from 1 to ${LARGEST_NODE_ID} do, as OVN's port keys end at ${PORT_KEYS.last}`,
    );
  }
  return FIRST_FREE_PORT_KEY + Number(number);
}
