import { contains, formatPrefix, hostPrefix, networkOf, parseIp, parsePrefix } from "@pulumi-ovn/provider";

/** Whether a prefix, or an address, contains an address. */
export function isIn(prefix: string, address: string): boolean {
  return contains(networkOf(parsePrefix(prefix.includes("/") ? prefix : formatPrefix(hostPrefix(parseIp(prefix))))), parseIp(address));
}

/** Port of a load balancer's address: `ADDRESS:PORT`, `[ADDRESS]:PORT`; undefined for an address only. */
export function portOf(vip: string): number | undefined {
  const port = /^(?:[^:[\]]+|\[.*\]):(\d+)$/.exec(vip)?.[1];
  return port === undefined ? undefined : Number(port);
}

/** Address of a load balancer without the port. */
export function addressOf(vip: string): string {
  return portOf(vip) === undefined ? vip : vip.replace(/:\d+$/, "").replace(/^\[(.*)\]$/, "$1");
}
