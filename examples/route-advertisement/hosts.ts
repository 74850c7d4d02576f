/** Properties of a host, independent of networks. */
export interface Host {
  /** Node id: never given to another host. */
  readonly id: number;
  /** The chassis's `ovn-encap-ip`. */
  readonly tunnel: string;
  /** The host's own addresses in the fabric, IPv4 and IPv6, from which its FRR speaks. */
  readonly own: readonly [string, string];
  /** The network's gateway router on this host, to which the fabric sends packets for the network. */
  readonly gateway: { readonly addresses: readonly [string, string]; readonly mac: string; readonly linkLocal: string };
}

export const hosts: Readonly<Record<string, Host>> = {
  node1: {
    id: 2,
    tunnel: "198.18.0.1",
    own: ["172.18.0.111", "fc00:f853:ccd:e793::6f"],
    gateway: { addresses: ["172.18.0.11", "fc00:f853:ccd:e793::b"], mac: "0a:58:ac:12:00:0b", linkLocal: "fe80::858:acff:fe12:b" },
  },
  node2: {
    id: 3,
    tunnel: "198.18.0.2",
    own: ["172.18.0.112", "fc00:f853:ccd:e793::70"],
    gateway: { addresses: ["172.18.0.12", "fc00:f853:ccd:e793::c"], mac: "0a:58:ac:12:00:0c", linkLocal: "fe80::858:acff:fe12:c" },
  },
};

/** The router of the fabric that every host has its sessions with. */
export const upstream = { asn: 64512, addresses: ["172.18.0.1", "fc00:f853:ccd:e793::1"] } as const;
