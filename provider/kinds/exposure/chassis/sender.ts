import { memo } from "../../../kit/memo/memo";
import { macOf, words } from "./addresses";
import type { LocalBridge, PortBinding } from "./snapshot/snapshot";

/** A switch's port to a router, and the router's. */
export type Joint = readonly [PortBinding, PortBinding];

/**
 * The router port whose packets OVN sends over a bridge with the bridge's own MAC, because that MAC was configured: as
 * the MAC of the port, of its NAT, or as the MAC that this host uses for all routers on the physical network. The
 * current chassis of the port does not matter: the port may move here before the agent is notified. A workload with this
 * MAC does not count: a user who can choose the MAC could cut the host off.
 */
export function senderAs(mac: string, { chassisMac }: LocalBridge, joints: readonly Joint[]): PortBinding | undefined {
  return joints.find((ends) => chassisMac === mac || ends.some((end) => macsOf(end).has(mac)))?.[1];
}

/** Cached: of thousands of NAT addresses, few rows change between two snapshots. */
const macsOf = memo((port: PortBinding) => new Set([macOf(port), ...port.natAddresses.map((entry) => words(entry)[0]?.toLowerCase())]));
