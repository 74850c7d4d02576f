import { staticBindingKey } from "../../backends/rows/marks/markless";
import type { DesiredRow } from "../../backends/rows/set";

/** A neighbour whose MAC is known beforehand; it goes before what the router may have learned. */
export function staticMacBinding(port: string, ip: string, mac: string): DesiredRow {
  return { table: "Static_MAC_Binding", key: staticBindingKey(port, ip), columns: { logical_port: port, ip, mac, override_dynamic_mac: true } };
}
