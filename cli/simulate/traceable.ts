import type { Operation } from "@pulumi-ovn/ovsdb-client";
import { zoneRows } from "../zone-rows";
import { traceableMatch } from "./connection-state";
import type { Shadow } from "./shadow";

/** Undoes source translations, for packets of connections that have one. */
const UNTRANSLATE = "ct_snat;";

/** All backends after the first one: `ct_lb_mark(backends=192.0.2.1:80,192.0.2.2:80; hash_fields="ip_dst")`. */
const FURTHER_BACKENDS = /(\bct_lb\w*\(backends=[^,;)]+),[^;)]*/g;

/**
 * Changes flows for ovn-trace(8), after they have been read. On gateway routers a trace ends without a result where source translations are
 * undone, because it has no connections: the packet goes on unchanged, as the first packet of a connection does. Of several backends a
 * trace chooses a random one: only the first one is left. States of connections become a bit of the packet; see `VLAN_BITS`.
 */
export async function makeTraceable({ connections, zone }: Shadow): Promise<void> {
  const { Logical_Flow: flows } = await zoneRows(connections, zone, "OVN_Southbound", { Logical_Flow: ["_uuid", "match", "actions"] });
  const updates = flows.flatMap(({ _uuid, match, actions }): Operation[] => {
    const wanted = {
      match: traceableMatch(match as string),
      actions: actions === UNTRANSLATE ? "next;" : (actions as string).replace(FURTHER_BACKENDS, "$1"),
    };
    if (wanted.match === match && wanted.actions === actions) return [];
    return [{ op: "update", table: "Logical_Flow", where: [["_uuid", "==", ["uuid", _uuid as string]]], row: wanted }];
  });
  if (updates.length === 0) return;
  const client = await connections.get(zone, "OVN_Southbound");
  await client.transact(updates);
}
