import type { Failure } from "../../../kit/arguments/errors";
import { columnWords, isMap, rowLabel } from "../set/words";
import type { ColumnValue, DesiredRow, RowSet } from "../set";

/** Effect of a changed value on a network in use. */
interface Impact {
  readonly tables: readonly string[];
  readonly column: string;
  /** Key of a map column. */
  readonly key?: string;
  /** Set column: only removed elements matter. */
  readonly set?: true;
  /** Map column: a row with this key is not affected. */
  readonly unless?: string;
  /** Rows with this value in their column `type` are left out. */
  readonly exceptType?: string;
  readonly code: string;
  readonly felt: string;
}

const IMPACTS: readonly Impact[] = [
  {
    tables: ["Logical_Router_Port"],
    column: "mac",
    code: "OVN_WARN_ROUTER_MAC",
    felt: "what runs keeps the old MAC in its neighbour table, and loses packets to this router until the entry expires or the router announces itself",
  },
  {
    tables: ["Logical_Router_Port"],
    column: "networks",
    set: true,
    code: "OVN_WARN_ROUTER_ADDRESS",
    felt: "what has the old address as its gateway or next hop loses its way until it is configured with another one",
  },
  {
    tables: ["Logical_Switch"],
    column: "other_config",
    key: "subnet",
    code: "OVN_WARN_SUBNET",
    felt: "workloads keep their addresses of the old subnet until they are configured again",
  },
  {
    tables: ["Logical_Switch"],
    column: "other_config",
    key: "ipv6_prefix",
    code: "OVN_WARN_SUBNET",
    felt: "workloads keep their addresses of the old prefix until they are configured again",
  },
  ...(["options", "other_config"] as const).map((column) => ({
    tables: ["Logical_Switch", "Logical_Router", "Logical_Switch_Port", "Logical_Router_Port"],
    column,
    key: "requested-tnl-key",
    code: "OVN_WARN_TUNNEL_KEY",
    felt: "packets between zones are lost until every zone and chassis has the new key",
    // A gateway router is on one chassis: no other zone uses its key.
    unless: "chassis",
  })),
  {
    tables: ["Logical_Router_Port"],
    column: "options",
    key: "dynamic-routing-port-name",
    code: "OVN_WARN_LEARNED_ROUTES",
    felt: "OVN keeps the routes that this router has learned before; first empty the routing table, or name an empty one",
  },
  {
    tables: ["Logical_Router_Port"],
    column: "options",
    key: "gateway_mtu",
    code: "OVN_WARN_MTU",
    felt: "connections with larger packets stall until both ends have learned the new size",
  },
  {
    tables: ["Logical_Router_Port"],
    column: "ipv6_ra_configs",
    key: "mtu",
    code: "OVN_WARN_MTU",
    felt: "workloads use the old size until the next router advertisement; connections with larger packets stall",
  },
  {
    tables: ["DHCP_Options"],
    column: "options",
    key: "mtu",
    code: "OVN_WARN_MTU",
    felt: "workloads use the old size until they renew their lease; connections with larger packets stall",
  },
  {
    tables: ["Logical_Switch_Port"],
    column: "addresses",
    set: true,
    code: "OVN_WARN_PORT_ADDRESS",
    // The warning is that of its Logical_Router_Port.
    exceptType: "router",
    felt: "a workload that still uses the old MAC or address is cut off",
  },
  {
    tables: ["Logical_Router"],
    column: "options",
    key: "chassis",
    code: "OVN_WARN_CHASSIS",
    felt: "connections through this router break: the other chassis does not know them",
  },
  {
    tables: ["Gateway_Chassis"],
    column: "chassis_name",
    code: "OVN_WARN_CHASSIS",
    felt: "connections through this gateway break: the other chassis does not know them",
  },
];

/**
 * Warnings about the effects of changed rows on a network in use. Added and removed rows are in the preview anyway. Pure, and equal for every
 * kind.
 */
export function impactOf(before: RowSet, after: RowSet): Failure[] {
  const old = new Map(before.rows.map((row) => [`${row.table} ${row.key}`, row]));
  const changes = after.rows.flatMap((row) => {
    const previous = old.get(`${row.table} ${row.key}`);
    return previous ? IMPACTS.flatMap((impact) => felt(impact, previous, row)) : [];
  });
  return [...Map.groupBy(changes, ({ code, table, what }) => `${code} ${table} ${what}`).values()].map(warning);
}

/** One row of which the network will feel something. */
interface Change {
  readonly code: string;
  readonly table: string;
  readonly label: string;
  /** Change, with both values and its effect. */
  readonly what: string;
}

/** One warning for all rows that change alike. */
function warning(alike: readonly Change[]): Failure {
  const [{ code, label, what }] = alike as [Change];
  const others = alike.length === 1 ? "" : ` and ${alike.length - 1} more`;
  return { path: `rows[${JSON.stringify(label)}]`, code, message: `${label}${others}: ${what}` };
}

function felt({ tables, column, key, set, unless, exceptType, code, felt: text }: Impact, before: DesiredRow, after: DesiredRow): Change[] {
  if (!tables.includes(after.table)) return [];
  if (exceptType !== undefined && after.columns["type"] === exceptType) return [];
  const [old, wanted] = [valueOf(before, column, key), valueOf(after, column, key)];
  // A value that did not exist was not in use.
  if (old === undefined || old === wanted) return [];
  if (unless !== undefined && valueOf(after, column, unless) !== undefined) return [];
  if (set && elementsOf(before, column).every((element) => elementsOf(after, column).includes(element))) return [];
  const name = key === undefined ? column : `${column}:${key}`;
  return [{ code, table: after.table, label: rowLabel(after), what: `${name} changes from ${old} to ${wanted ?? "nothing"}: ${text}` }];
}

/** Value in ovn-nbctl's syntax; undefined without one. */
function valueOf({ columns }: DesiredRow, column: string, key: string | undefined): string | undefined {
  const value: ColumnValue | undefined = columns[column];
  if (value === undefined || value === null) return undefined;
  if (key === undefined)
    return (
      columnWords(column, value)[0]!
        .slice(column.length + 1)
        .replace(/^\[\]$/, "") || undefined
    );
  if (!isMap(value) || value.map[key] === undefined) return undefined;
  return String(value.map[key]);
}

function elementsOf({ columns }: DesiredRow, column: string): readonly string[] {
  const value = columns[column];
  return Array.isArray(value) ? value.map(String) : [String(value)];
}
