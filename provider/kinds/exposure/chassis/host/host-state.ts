import type { Family } from "../../../../kit/address";

/**
 * Desired state of the agent's host, and everything that the agent writes: plain data in a fixed order, each object
 * once. An object that has the agent's mark and is not in this state is deleted. An object without the mark is never
 * changed.
 */
export interface HostState {
  /** Internal ports of bridges, in a VLAN: the device of a physical network with a tag. Marked by `external_ids`. */
  readonly taggedPorts: readonly TaggedPort[];
  /** Devices that answer for addresses elsewhere: `proxy_arp`, `proxy_ndp` and forwarding, without `proxy_delay`, and are up. */
  readonly devices: readonly string[];
  /** Devices with an uplink, which must not answer for addresses elsewhere: `proxy_arp` and `proxy_ndp` are off where the agent has had them on. */
  readonly silent: readonly string[];
  /**
   * Addresses of devices, which the kernel uses as the source of neighbor requests: in 169.254.0.0/16 with prefix length
   * 32, or in fd53:d91e:400:7f17::/64 with 128. The ranges identify the agent's own addresses where the kernel does not
   * store the owner of an address.
   */
  readonly addresses: readonly DeviceAddress[];
  /** The table that is announced: each route leads a packet of the fabric to where OVN takes it. */
  readonly routes: readonly Route[];
  /** Rules that have packets looked up there, one a family. */
  readonly rules: readonly Rule[];
  /** Neighbours that OVN can't be asked for, permanent. */
  readonly neighbors: readonly Neighbor[];
  /** IPv6 addresses for which a device answers neighbor solicitations, in addition to those that proxy_ndp finds by itself (none). */
  readonly proxies: readonly Proxy[];
  /** Flows of bridges outside br-int, in the syntax of ovs-ofctl(8), without cookie. */
  readonly flows: readonly { readonly bridge: string; readonly flows: readonly string[] }[];
  /** null: the chassis announces nothing. */
  readonly bgp: Bgp | null;
}

export interface TaggedPort {
  /** At most 15 characters, the same on each host and after each start. */
  readonly name: string;
  readonly bridge: string;
  readonly tag: number;
  /** MAC of the bridge. The flows set it as the destination of packets for the host. */
  readonly mac: string;
}

export interface DeviceAddress {
  readonly device: string;
  /** With prefix length. */
  readonly address: string;
}

export interface Route {
  readonly table: number;
  /** With prefix length. */
  readonly destination: string;
  readonly device: string;
  /** Next hop, where OVN takes packets through a router; null: the destination itself is on the link. */
  readonly via: string | null;
}

export interface Rule {
  readonly family: Family;
  readonly priority: number;
  readonly table: number;
}

export interface Neighbor {
  readonly device: string;
  readonly address: string;
  readonly mac: string;
}

export interface Proxy {
  readonly device: string;
  readonly address: string;
}

export interface Bgp {
  readonly asNumber: number;
  /** null: FRR's own. */
  readonly routerId: string | null;
  /** FRR announces this kernel table, in both families. */
  readonly table: number;
  /**
   * Name of a VRF device of the agent's own that has the table: FRR's instance of that VRF announces it, and the instance without
   * VRF takes it from there, which FRR before version 10 can for both families. Absent: the instance without VRF reads the table.
   */
  readonly vrf?: string | undefined;
}

/** A host on which the agent wants nothing. */
export const NOTHING: HostState = {
  taggedPorts: [],
  devices: [],
  silent: [],
  addresses: [],
  routes: [],
  rules: [],
  neighbors: [],
  proxies: [],
  flows: [],
  bgp: null,
};
