import type { Rendered, RowKind } from "../kind";
import type { Contribution } from "../rows/rowset";
import { DYNAMIC_ROUTING } from "../topology/requirements";
import { type ExposedRouter, prefixesOf } from "./announced";
import { type BgpExposureSpec, schema } from "./args";
import { checkedRouters } from "./check";
import type { ExposureFacts } from "./facts";
import { observe } from "./observe";

function render(spec: BgpExposureSpec, facts: ExposureFacts): Rendered {
  const routers = checkedRouters(spec, facts);
  const byChassis = Object.entries(Object.groupBy(routers, ({ facts: { chassis } }) => chassis!)).sort(([a], [b]) => (a < b ? -1 : 1)) as [string, ExposedRouter[]][];
  return {
    set: { database: "OVN_Northbound", rows: [], contributions: routers.flatMap(options), requires: [DYNAMIC_ROUTING] },
    outputs: {
      announced: Object.fromEntries(byChassis.map(([chassis, own]) => [chassis, prefixesOf(own)])),
      tables: Object.fromEntries(byChassis.map(([chassis, own]) => [chassis, own.map(({ table }) => table).sort((a, b) => a - b)])),
    },
  };
}

/** Entries of rows that belong to others: they go alone, and nothing else of the routers is touched. */
function options({ name, table, ports }: ExposedRouter): Contribution[] {
  const entry = (tableName: string, row: string, key: string, value: string): Contribution => ({ table: tableName, row: { name: row }, column: "options", part: { kind: "entry", key, value } });
  return [
    entry("Logical_Router", name, "dynamic-routing", "true"),
    entry("Logical_Router", name, "requested-tnl-key", String(table)),
    ...ports.map((port) => entry("Logical_Router_Port", port.name, "dynamic-routing-redistribute", port.what.join(","))),
  ];
}

/** What chassis announce to a fabric. */
export const bgpExposure: RowKind<BgpExposureSpec, ExposureFacts> = {
  name: "BgpExposure",
  database: "OVN_Northbound",
  schema,
  observe,
  render,
  outputs: ["announced", "tables"],
};
