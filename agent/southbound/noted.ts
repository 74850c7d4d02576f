import type { OvsdbClient } from "@pulumi-ovn/ovsdb-client";

/** In the host's Open_vSwitch table, of `external_ids`: UUID of the row of SB_Global that an agent has gone by. */
export const NOTED = "pulumi-ovn-bgp-southbound";

/**
 * Notes on the host which Southbound database its routes are from. An agent that starts tells by it a database that was made again,
 * which is empty for a while, from one that this chassis has left. undefined: they are from none.
 */
export async function note(client: OvsdbClient, database: string | undefined): Promise<void> {
  await client.transact([{
    op: "mutate", table: "Open_vSwitch", where: [],
    mutations: [["external_ids", "delete", ["set", [NOTED]]], ...(database === undefined ? [] : [["external_ids", "insert", ["map", [[NOTED, database]]]] as const])],
  }]);
}
