import type { Operation } from "@pulumi-ovn/ovsdb-client";
import { zoneRows } from "../zone-rows";
import type { Shadow } from "./shadow";

/** Undoes source translations, for packets of connections that have one. */
const UNTRANSLATE = "ct_snat;";

/** All backends after the first one: `ct_lb_mark(backends=192.0.2.1:80,192.0.2.2:80; hash_fields="ip_dst")`. */
const FURTHER_BACKENDS = /(\bct_lb\w*\(backends=[^,;)]+),[^;)]*/g;

/**
 * Changes flows for ovn-trace(8), after they have been read. On gateway routers a trace ends without a result where source translations are
 * undone, because it has no connections: the packet goes on unchanged, as the first packet of a connection does. Of several backends a
 * trace chooses a random one: only the first one is left.
 */
export async function makeTraceable({ connections, zone }: Shadow): Promise<void> {
  const { Logical_Flow: flows } = await zoneRows(connections, zone, "OVN_Southbound", { Logical_Flow: ["_uuid", "actions"] });
  const updates = flows.flatMap(({ _uuid, actions }): Operation[] => {
    const wanted = actions === UNTRANSLATE ? "next;" : (actions as string).replace(FURTHER_BACKENDS, "$1");
    return wanted === actions ? [] : [{ op: "update", table: "Logical_Flow", where: [["_uuid", "==", ["uuid", _uuid as string]]], row: { actions: wanted } }];
  });
  if (updates.length === 0) return;
  const client = await connections.get(zone, "OVN_Southbound");
  await client.transact(updates);
}
