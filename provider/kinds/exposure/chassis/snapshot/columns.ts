import type { DatabaseSchema } from "@pulumi-ovn/ovsdb-client";
import { GROUPS } from "./rows";

/** Columns of the Southbound database that a snapshot is made from. Some schema versions lack the columns of the second list. */
const COLUMNS: Readonly<Record<string, readonly [always: readonly string[], since: readonly string[]]>> = {
  SB_Global: [["options"], []],
  Chassis: [["name"], []],
  Encap: [["ip"], []],
  Datapath_Binding: [["external_ids"], []],
  Port_Binding: [["logical_port", "type", "datapath", "chassis", "mac", "nat_addresses", "tag", "options", "external_ids"], ["up"]],
  Load_Balancer: [["name", "vips", "datapaths"], GROUPS],
  Logical_DP_Group: [["datapaths"], []],
};

/** Returns the columns that a server has, by table. */
export function columnsOf(schema: DatabaseSchema): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries(
    Object.entries(COLUMNS).map(([name, [always, since]]) => [name, [...always, ...since.filter((column) => schema.table(name).has(column))]]),
  );
}
