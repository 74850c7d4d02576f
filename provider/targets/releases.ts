import type { DatabaseName } from "./database";

/** Releases that brought tables and columns which the kinds write, for the error that an older schema causes. */
const SINCE: Record<DatabaseName, Readonly<Record<string, string>>> = {
  OVN_Northbound: {
    BFD: "OVN 21.03",
    Copp: "OVN 20.06",
    Static_MAC_Binding: "OVN 22.06",
    "Static_MAC_Binding.override_dynamic_mac": "OVN 22.06",
    "Logical_Router_Static_Route.route_table": "OVN 21.12",
    "Logical_Router_Policy.nexthops": "OVN 21.03",
    "Logical_Router_Policy.chain": "OVN 24.03",
    "NAT.gateway_port": "OVN 22.03",
    "NAT.match": "OVN 24.09",
    "NAT.priority": "OVN 24.09",
    "ACL.tier": "OVN 23.06",
    "Logical_Router_Policy.output_port": "OVN 26.03",
  },
  OVN_Southbound: { Chassis_Private: "OVN 20.09" },
  Open_vSwitch: {},
};

export function releaseOf(database: DatabaseName, table: string, column?: string): string | undefined {
  const releases = SINCE[database];
  return (column === undefined ? undefined : releases[`${table}.${column}`]) ?? releases[table];
}
