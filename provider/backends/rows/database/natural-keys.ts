/** Natural key of a table, for rows without a derived UUID. */
export interface NaturalKey {
  /** Columns that must be equal. */
  readonly columns: readonly string[];
  /** Columns that decide between several rows which are equal in those. */
  readonly tieBreakers?: readonly string[];
}

const NAME: NaturalKey = { columns: ["name"] };
const RULE: NaturalKey = { columns: ["direction", "priority", "match"] };

/** By table; a table that is not here has no natural key, and its rows can't be adopted. (ovn-nb(5), ovn-sb(5), ovs-vswitchd.conf.db(5)) */
const NATURAL_KEYS: Readonly<Record<string, NaturalKey>> = {
  ACL: RULE,
  Address_Set: NAME,
  BFD: { columns: ["logical_port", "dst_ip"] },
  Bridge: NAME,
  Chassis: NAME,
  Copp: NAME,
  DHCP_Options: { columns: ["cidr"], tieBreakers: ["options"] },
  DNS: { columns: ["records"] },
  Encap: { columns: ["type", "ip"] },
  Gateway_Chassis: NAME,
  HA_Chassis: { columns: ["chassis_name"] },
  HA_Chassis_Group: NAME,
  Interface: NAME,
  Load_Balancer: NAME,
  Load_Balancer_Group: NAME,
  Logical_Router: NAME,
  Logical_Router_Policy: { columns: ["priority", "match"] },
  Logical_Router_Port: NAME,
  Logical_Router_Static_Route: { columns: ["ip_prefix"], tieBreakers: ["policy", "route_table", "nexthop", "output_port"] },
  Logical_Switch: NAME,
  Logical_Switch_Port: NAME,
  Meter: NAME,
  NAT: { columns: ["type", "logical_ip"], tieBreakers: ["logical_port", "external_ip", "match"] },
  Port: NAME,
  Port_Group: NAME,
  QoS: RULE,
  Static_MAC_Binding: { columns: ["logical_port", "ip"] },
};

export function naturalKey(table: string): NaturalKey | undefined {
  return Object.hasOwn(NATURAL_KEYS, table) ? NATURAL_KEYS[table] : undefined;
}
