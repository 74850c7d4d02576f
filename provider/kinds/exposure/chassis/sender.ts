import { byObject } from "../../../kit/memo/memo";
import { macOf, words } from "./addresses";
import type { LocalBridge, PortBinding } from "./snapshot";

/** A switch's port to a router, and the router's. */
export type Joint = readonly [PortBinding, PortBinding];

/**
 * The router's port that OVN sends over a bridge with the bridge's own MAC, because it was given that: as its own, for its NAT, or
 * as the one that this host has for all routers on the physical network. Wherever it is now: it may come here before the agent
 * hears of it. A workload with that MAC does not count: whoever may choose one could else have the host cut off.
 */
export function senderAs(mac: string, { chassisMac }: LocalBridge, joints: readonly Joint[]): PortBinding | undefined {
  return joints.find((ends) => chassisMac === mac || ends.some((end) => macsOf(end).has(mac)))?.[1];
}

/** Of thousands of addresses of NAT, hardly any row is another than in the snapshot before. */
const macsOf = byObject((port: PortBinding) => new Set([macOf(port), ...port.natAddresses.map((entry) => words(entry)[0]?.toLowerCase())]));
