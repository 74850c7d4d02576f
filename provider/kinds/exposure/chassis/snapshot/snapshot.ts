/**
 * The agent's input at one moment: plain data that fully determines the desired state of the host. Rows that do not
 * affect the chassis may be left out. (ovn-sb(5))
 */
export interface Snapshot {
  /** Name of the chassis (`external_ids:system-id`, "" if not set) and UUID of its row. null: the chassis is not in the Southbound database. */
  readonly chassis: { readonly name: string; readonly uuid: string | null };
  /** Names of the zone's other chassis, by UUID. */
  readonly otherChassis: Readonly<Record<string, string>>;
  /** Bridge by physical network (`external_ids:ovn-bridge-mappings`). */
  readonly bridges: Readonly<Record<string, LocalBridge>>;
  readonly ports: readonly PortBinding[];
  readonly loadBalancers: readonly LoadBalancer[];
  readonly northbound: NorthboundFacts;
  /** IP addresses of the servers of OVN's databases, as far as they are known. */
  readonly servers: readonly string[];
  /** IP addresses at which chassis have their tunnels; the same list as long as these are the same. */
  readonly tunnels: readonly string[];
  /** Addresses in `tunnels` that are this chassis's own. Default: none, the list has only other chassis' addresses. */
  readonly ownTunnels?: ReadonlySet<string> | undefined;
  /** Reasons why exposures keep their last readable version in `exposures`, by name. */
  readonly unreadable: Readonly<Record<string, string>>;
  /** Exposures by the rest of the key after AGENT_KEY. An invalid text is a problem for the health endpoint and does not stop the agent. */
  readonly exposures: Readonly<Record<string, string>>;
}

/** A bridge of a physical network on this host. */
export interface LocalBridge {
  readonly name: string;
  /** null: the bridge does not exist (yet). */
  readonly mac: string | null;
  /** MAC that replaces routers' MACs on the physical network, on this host (`external_ids:ovn-chassis-mac-mappings`). */
  readonly chassisMac?: string | undefined;
  /** Interfaces that lead out of the switch, of the bridge or of one that is patched to it. Default: none. */
  readonly uplinks?: readonly string[];
  /** Patch ports to br-int that have their number, by the name of the localnet port: `patch-LOCALNET-to-br-int`. */
  readonly patches: Readonly<Record<string, string>>;
}

/** A row of Port_Binding. */
export interface PortBinding {
  readonly name: string;
  /** "" for a workload's. */
  readonly type: string;
  /** UUID of the Datapath_Binding, and the name of its switch or router (`external_ids:name`). */
  readonly datapath: string;
  readonly network: string;
  /** Whether the datapath is a router. */
  readonly router: boolean;
  /** UUID of its row of Logical_Router, in the Northbound database; null: it is a switch. */
  readonly logicalRouter: string | null;
  /** UUID of the chassis that it is bound to. */
  readonly chassis: string | null;
  readonly up: boolean;
  /** `MAC ADDRESS...`, of routers with prefix lengths, or "unknown". */
  readonly mac: readonly string[];
  readonly natAddresses: readonly string[];
  readonly tag: number | null;
  readonly options: Readonly<Record<string, string>>;
  readonly externalIds: Readonly<Record<string, string>>;
}

/** A row of Load_Balancer, with the datapaths of its groups. */
export interface LoadBalancer {
  readonly name: string;
  /** Backends ("": none) by `ADDRESS:PORT`, `[ADDRESS]:PORT` or an address. */
  readonly vips: Readonly<Record<string, string>>;
  /** Whether the release reports the routers that have it. Releases before 23.09 report only switches. */
  readonly routersKnown: boolean;
  /** UUIDs of datapaths. */
  readonly datapaths: readonly string[];
}

/**
 * Settings of routers with a port on a provider network that northd does not pass on. Empty if the agent cannot reach
 * the Northbound database. (ovn-nb(5))
 */
export interface NorthboundFacts {
  /** IPv6 rows of NAT, of any type: replies to translated sources arrive here, too. */
  readonly floatingIPs: readonly FloatingIP[];
  /** Switches' ports to routers with `options:nat-addresses=router`. */
  readonly natPorts: readonly string[];
}

export interface FloatingIP {
  /** UUID of the Logical_Router. */
  readonly router: string;
  readonly address: string;
  /** The port that is translated where it is (`logical_port`, with `external_mac`); null: at the router's gateway. */
  readonly port: string | null;
}

export const NO_NORTHBOUND: NorthboundFacts = { floatingIPs: [], natPorts: [] };
