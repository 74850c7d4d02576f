import { memo, type Family, formatPrefix, networkOf, parsePrefix } from "@pulumi-ovn/provider/agent";

/** The owner of routes, rules, neighbours, proxies and addresses: its number is free in rtnetlink(7) and rt_protos of iproute2. */
export const PROTOCOL = 87;

/** Ranges of the agent's addresses. Other addresses of a device are ignored. */
export const OWN_ADDRESSES: Readonly<Record<Family, string>> = { 4: "169.254.0.0/16", 6: "fd53:d91e:400:7f17::/64" };

export const familyOf = (text: string): Family => (text.includes(":") ? 6 : 4);

/** Parses a destination, memoized by its text. */
export const prefixOf = memo(20_000, parsePrefix);

/** Canonical text of a prefix, without host bits, as the kernel prints it. A state may contain other spellings. */
export const destinationText = memo(20_000, (text: string): string => formatPrefix(networkOf(parsePrefix(text))));

/** Settings that let a device answer for other addresses and forward packets, with paths below /proc/sys/net. */
export const sysctlsOf = (device: string, family: Family): readonly Sysctl[] => [
  { path: `ipv${family}/conf/${device}/forwarding`, value: "1" },
  { path: family === 4 ? `ipv4/conf/${device}/proxy_arp` : `ipv6/conf/${device}/proxy_ndp`, value: "1" },
  // Linux delays each proxy answer by a random time of at most 0.8 s, so that the owner can answer first and many proxies don't
  // answer simultaneously (arp(7)). Here the owner is never on the link, and a moved workload would have no connectivity for that time.
  { path: `ipv${family}/neigh/${device}/proxy_delay`, value: "0" },
];

/** Settings with which a device answers for no address but its own. */
export const quietOf = (device: string): readonly Sysctl[] => [
  { path: `ipv4/conf/${device}/proxy_arp`, value: "0" },
  { path: `ipv6/conf/${device}/proxy_ndp`, value: "0" },
];

/** A setting below /proc/sys/net. */
export interface Sysctl {
  readonly path: string;
  readonly value: string;
}

/** Linux forwards IPv6 packets only where it is on for all devices, whatever those of the packet say. */
export const FORWARDING_6 = "ipv6/conf/all/forwarding";
