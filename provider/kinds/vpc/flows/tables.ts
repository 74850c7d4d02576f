/** Flow tables of the logical router's bridge, in the order in which a packet meets them. */
export const TABLE = {
  /** Packets from a tier with the logical router's MAC and a source of that tier. */
  admission: 0,
  /** TTL, next hop and MACs. */
  routing: 1,
  /** `stateful` only: conntrack, and what it knows already. */
  conntrack: 2,
  state: 3,
  egressAcl: 4,
  ingressAcl: 5,
  output: 6,
  /** Packets that the logical router does not route go back to the tier's bridge, for the virtual router. */
  virtualRouter: 7,
} as const;

/** Flow tables of a tier's bridge. */
export const TIER_TABLE = {
  classifier: 0,
  fromTunnel: 1,
  /** Packets from workloads, which redirects apply to. */
  fromWorkload: 2,
  /** Packets from declared ports with port security: neighbor discovery, then sources. No table of a logical router uses this number. */
  securedDiscovery: 10,
  securedSource: 11,
  /** `stateful` only: packets from other tiers by tunnel, which this host's conntrack has to know. */
  tracked: 12,
} as const;
