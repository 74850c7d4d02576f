/** Properties of the hosts, independent of networks. A stack for real hosts would read an inventory. */
export interface Host {
  /** Node id: addresses, MACs and port keys derive from it, in every network. Never given to another host. */
  readonly id: number;
  /** The chassis's `ovn-encap-ip`. */
  readonly tunnel: string;
}

export const hosts: Readonly<Record<string, Host>> = {
  node1: { id: 2, tunnel: "198.18.0.1" },
  node2: { id: 3, tunnel: "198.18.0.2" },
  node3: { id: 4, tunnel: "198.18.0.3" },
};

export const names = Object.keys(hosts);

/** An address of the network outside by its last number. */
export const outside = {
  ipv4: (last: number) => `172.18.0.${last}`,
  ipv6: (last: number) => `fc00:f853:ccd:e793::${last.toString(16)}`,
  ipv4Length: 24,
  ipv6Length: 64,
};
