import type { ColumnValue, RowSet } from "@pulumi-ovn/provider";
import { judgeMatches } from "@pulumi-ovn/provider/testing";

/** Columns of OVN 25.03 (Northbound 7.11.0, Southbound 20.41.0) by kind of value; with the values of an enumeration. */
type Kind = "text" | "whole" | "boolean" | "texts" | "map" | "numbers" | "references" | "reference" | readonly string[];

const PORT = { name: "text", addresses: "texts", options: "map", external_ids: "map" } as const;

const TABLES: Readonly<Record<string, Readonly<Record<string, Kind>>>> = {
  "OVN_Northbound Logical_Switch": { name: "text", other_config: "map", external_ids: "map" },
  "OVN_Northbound Logical_Switch_Port": {
    ...PORT,
    type: ["", "router", "localnet", "remote"],
    port_security: "texts",
    tag: "whole",
    dhcpv4_options: "reference",
    dhcpv6_options: "reference",
  },
  "OVN_Northbound Logical_Router": { name: "text", options: "map", external_ids: "map" },
  "OVN_Northbound Logical_Router_Port": {
    name: "text",
    mac: "text",
    networks: "texts",
    peer: "text",
    options: "map",
    ipv6_ra_configs: "map",
    external_ids: "map",
  },
  "OVN_Northbound Gateway_Chassis": { name: "text", chassis_name: "text", priority: "whole", external_ids: "map" },
  "OVN_Northbound Logical_Router_Static_Route": {
    ip_prefix: "text",
    nexthop: "text",
    policy: ["src-ip", "dst-ip"],
    output_port: "text",
    bfd: "reference",
    external_ids: "map",
  },
  "OVN_Northbound Logical_Router_Policy": {
    priority: "whole",
    match: "text",
    action: ["allow", "drop", "reroute"],
    nexthops: "texts",
    options: "map",
    external_ids: "map",
  },
  "OVN_Northbound NAT": {
    external_port_range: "text",
    type: ["snat", "dnat_and_snat"],
    external_ip: "text",
    external_mac: "text",
    gateway_port: "reference",
    logical_ip: "text",
    logical_port: "text",
    match: "text",
    priority: "whole",
    options: "map",
    external_ids: "map",
  },
  "OVN_Northbound Address_Set": { name: "text", addresses: "texts", external_ids: "map" },
  "OVN_Northbound QoS": { direction: ["from-lport", "to-lport"], priority: "whole", match: "text", action: "numbers", external_ids: "map" },
  "OVN_Northbound ACL": {
    direction: ["to-lport"],
    priority: "whole",
    tier: "whole",
    match: "text",
    action: ["allow-related", "drop"],
    external_ids: "map",
  },
  "OVN_Northbound BFD": { logical_port: "text", dst_ip: "text", external_ids: "map" },
  "OVN_Northbound Static_MAC_Binding": { logical_port: "text", ip: "text", mac: "text", override_dynamic_mac: "boolean" },
  "OVN_Southbound Chassis": { name: "text", hostname: "text", encaps: "references", other_config: "map", external_ids: "map" },
  "Open_vSwitch Bridge": { name: "text", datapath_type: ["system", "netdev"], external_ids: "map" },
  "Open_vSwitch Port": { name: "text", interfaces: "references", external_ids: "map" },
  "Open_vSwitch Interface": { name: "text", type: ["internal"], mac: "text", mtu_request: "whole", external_ids: "map" },
  "OVN_Southbound Encap": { type: ["geneve", "vxlan"], ip: "text", chassis_name: "text", options: "map" },
};

/** Every column that a row has exists, and every value fits its type. */
export function checkAgainstSchema({ database, rows }: RowSet): void {
  const misfits = rows.flatMap((row) => {
    const columns = TABLES[`${database} ${row.table}`];
    return Object.entries(row.columns).flatMap(([name, value]) => (fits(columns?.[name], value) ? [] : [`${row.table} ${name}`]));
  });
  expect(misfits).toEqual([]);
  judgeMatches(rows.map(({ table, key, columns }) => ({ table, columns, path: key })));
}

function fits(kind: Kind | undefined, value: ColumnValue): boolean {
  if (kind === undefined) return false;
  if (typeof kind === "object") return kind.includes(value as string);
  const isReference = (item: unknown) => typeof item === "object" && item !== null && ("key" in item || "uuid" in item);
  switch (kind) {
    case "text":
      return typeof value === "string";
    case "whole":
      return Number.isInteger(value);
    case "boolean":
      return typeof value === "boolean";
    case "texts":
      return Array.isArray(value) && value.every((item) => typeof item === "string" && item !== "");
    case "map":
      return typeof value === "object" && value !== null && "map" in value && Object.values(value.map).every((item) => typeof item === "string");
    case "numbers":
      return typeof value === "object" && value !== null && "map" in value && Object.values(value.map).every(Number.isInteger);
    case "references":
      return Array.isArray(value) && value.length > 0 && value.every(isReference);
    case "reference":
      return isReference(value);
  }
}
