import { staticBindingKey } from "../../backends/rows/marks/markless";
import type { DesiredRow } from "../../backends/rows/set";

/** A neighbour with a known MAC, which precedes learned entries. */
export function staticMacBinding(port: string, ip: string, mac: string): DesiredRow {
  return { table: "Static_MAC_Binding", key: staticBindingKey(port, ip), columns: { logical_port: port, ip, mac, override_dynamic_mac: true } };
}
