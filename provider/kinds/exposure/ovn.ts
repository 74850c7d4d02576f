import type { Rendered } from "../../backends/rows/kind";
import type { Contribution } from "../../backends/rows/set";
import { DYNAMIC_ROUTING } from "../topology/requirements";
import { type ExposedRouter, prefixesOf } from "./announced";
import type { OvnExposureSpec } from "./args";
import { checkedRouters } from "./check";
import type { ExposureFacts } from "./facts";

/** Options of routers and their ports, from which OVN does the rest. */
export function renderOvn(spec: OvnExposureSpec, facts: ExposureFacts): Rendered {
  const routers = checkedRouters(spec, facts);
  const byChassis = Object.entries(Object.groupBy(routers, ({ facts: { chassis } }) => chassis!)).sort(([a], [b]) => (a < b ? -1 : 1)) as [
    string,
    ExposedRouter[],
  ][];
  return {
    set: { database: "OVN_Northbound", rows: [], contributions: routers.flatMap(options), requires: [DYNAMIC_ROUTING] },
    outputs: {
      announced: Object.fromEntries(byChassis.map(([chassis, own]) => [chassis, prefixesOf(own)])),
      tables: Object.fromEntries(byChassis.map(([chassis, own]) => [chassis, own.map(({ table }) => table).sort((a, b) => a - b)])),
    },
  };
}

/** Entries in foreign rows; nothing else of the routers is changed. */
function options({ name, table, ports }: ExposedRouter): Contribution[] {
  const entry = (tableName: string, row: string, key: string, value: string): Contribution => ({
    table: tableName,
    row: { name: row },
    column: "options",
    part: { kind: "entry", key, value },
  });
  return [
    entry("Logical_Router", name, "dynamic-routing", "true"),
    entry("Logical_Router", name, "requested-tnl-key", String(table)),
    ...ports.map((port) => entry("Logical_Router_Port", port.name, "dynamic-routing-redistribute", port.what.join(","))),
  ];
}
