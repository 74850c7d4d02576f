/** Names and addresses of a sandbox, derived from one number per host or workload. */

/** The largest number of hosts: their addresses on the external network are .11 to .110 and .111 to .210. */
export const maximumHosts = 100;

/** One address with its prefix length, `172.18.0.11/24`. */
export type Cidr = string;

export interface HostAddresses {
  /** `node1`; also the chassis' system-id, as OVN installations usually choose it. */
  readonly name: string;
  /** The tunnels' end, on the underlay. */
  readonly encap: string;
  /** For the gateway router on this host, IPv4 and IPv6, in the external network. The sandbox does not use them itself. */
  readonly gatewayRouter: readonly [Cidr, Cidr];
  /** The host's own on br-ex, IPv4 and IPv6, in the external network. */
  readonly external: readonly [Cidr, Cidr];
}

export interface WorkloadAddresses {
  readonly name: string;
  readonly mac: string;
  /** IPv4 and IPv6, with the network's prefix lengths. */
  readonly addresses: readonly [Cidr, Cidr];
  /** The network's gateways, IPv4 and IPv6. */
  readonly gateways: readonly [string, string];
}

/** The network that the workloads are in. */
export const workloadNetwork = { subnets: ["203.203.0.0/16", "2010:100:200::/60"], gateways: ["203.203.0.1", "2010:100:200::1"] } as const;

/** The network outside: the upstream router `ext`, the hosts' br-ex, the gateway routers. */
export const externalNetwork = {
  subnets: ["172.18.0.0/24", "fc00:f853:ccd:e793::/64"],
  /** The upstream router's. */
  router: ["172.18.0.1/24", "fc00:f853:ccd:e793::1/64"],
  /** "The outside": addresses of the upstream router that are in none of the networks (RFC 5737, RFC 3849). */
  outside: ["192.0.2.1/32", "2001:db8::1/128"],
} as const;

/** Addresses of host number `index`, from 1. */
export const hostAddresses = (index: number): HostAddresses => ({
  name: `node${index}`,
  encap: `198.18.0.${index}`,
  gatewayRouter: [`172.18.0.${10 + index}/24`, `fc00:f853:ccd:e793::${(10 + index).toString(16)}/64`],
  external: [`172.18.0.${110 + index}/24`, `fc00:f853:ccd:e793::${(110 + index).toString(16)}/64`],
});

/** Addresses of workload number `index`, from 1. */
export const workloadAddresses = (index: number): WorkloadAddresses => {
  const hex = (16 + index).toString(16).padStart(2, "0");
  return {
    name: `vm${index}`,
    mac: `0a:58:cb:cb:00:${hex}`,
    addresses: [`203.203.0.${16 + index}/16`, `2010:100:200::${hex}/60`],
    gateways: workloadNetwork.gateways,
  };
};

/** The address of a CIDR. */
export const addressOf = (cidr: Cidr): string => cidr.split("/")[0]!;
