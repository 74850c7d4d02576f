import { connect, type OvsdbClient } from "@pulumi-ovn/ovsdb-client";
import { type DesiredRow, ensureRows, type RowSet, type Target } from "@pulumi-ovn/provider/rows";
import type { Central } from "@pulumi-ovn/sandbox";

export const target = (client: OvsdbClient, owner: string): Target => ({ client, owner });

export const northbound = (central: Central): Promise<OvsdbClient> => connect(central.northbound, { database: "OVN_Northbound", timeout: 120_000 });

/** A switch with so many ports, as one resource. */
export function switchWith(ports: number, name = "l2"): RowSet {
  const self = { table: "Logical_Switch", key: "switch" };
  const rows = Array.from(
    { length: ports },
    (_, index): DesiredRow => ({
      table: "Logical_Switch_Port",
      key: `${name}-vm${index}`,
      columns: {
        name: `${name}-vm${index}`,
        addresses: [`0a:58:cb:cb:${hex(index >> 8)}:${hex(index)} 203.203.${(index >> 8) & 255}.${index & 255}`],
        options: { map: { "requested-tnl-key": String(10 + (index % 32000)) } },
      },
      parent: { table: "Logical_Switch", row: self, column: "ports" },
    }),
  );
  return { database: "OVN_Northbound", rows: [{ ...self, columns: { name } }, ...rows] };
}

const hex = (value: number): string => (value & 255).toString(16).padStart(2, "0");

/** Fills a database with so many rows of others. */
export async function fill(client: OvsdbClient, rows: number): Promise<void> {
  const size = 1_000;
  for (let start = 0; start < rows; start += size) await ensureRows(target(client, `filler-${start}`), switchWith(size - 1, `fill${start}`));
}
