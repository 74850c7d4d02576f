import type { Operation } from "@pulumi-ovn/ovsdb-client";
import type { Decoded } from "../../zone-rows";
import { ARRIVAL, traceableMatch, withFlagBits } from "../connection-state";
import type { Southbound } from "./flows";

/** Forgets the state of the connection, as a chassis does between two datapaths. */
const FORGET = "ct_clear; ";

/** Undoes source translations, for packets of connections that have one. */
const UNTRANSLATE = "ct_snat;";

/** All backends after the first one: `ct_lb_mark(backends=192.0.2.1:80,192.0.2.2:80; hash_fields="ip_dst")`. */
const FURTHER_BACKENDS = /(\bct_lb\w*\(backends=[^,;)]+),[^;)]*/g;

/** Choice of one of several next hops: `reg8[16..31] = select(1, 2);`. */
const CHOICE = /(\breg\d+(?:\[[^\]]*\])?) = select\((?:values=\()?(\d+)[^;]*;/g;

/** Asks for a neighbour that has no MAC_Binding. */
const REQUEST = /\b(?:arp|nd_ns) \{[^}]*\}; output;/g;

/** Whether a packet meets the flow first in its datapath. */
const isFirst = ({ pipeline, table_id }: Decoded): boolean => pipeline === "ingress" && table_id === 0;

function traceableActions(flow: Decoded): string {
  const actions = flow.actions as string;
  if (actions === UNTRANSLATE) return "next;";
  return (isFirst(flow) ? FORGET : "") + withFlagBits(actions.replace(FURTHER_BACKENDS, "$1").replace(CHOICE, "$1 = $2; next;").replace(REQUEST, "output;"));
}

/** Before all flows of northd. */
const HIGHEST_PRIORITY = 65_535;

/**
 * Pure. Changes of flows for ovn-trace(8):
 *
 * - On gateway routers a trace ends without a result where source translations are undone, because it has no connections: the packet goes
 *   on unchanged, as the first packet of a connection does.
 * - Of several backends and next hops a trace chooses a random one: only the first one is left.
 * - For a neighbour without a MAC_Binding a trace follows the request instead of the packet; a neighbour solicitation makes ovn-trace 25.03
 *   loop until memory ends. The packet continues without the neighbour's address.
 * - ovn-trace keeps the state of the connection from one datapath to the next; a chassis does not.
 * - States of connections and flags of load balancers become bits of the packet; see `vlanBits`.
 * - Packets that arrive from another zone go to their port; see `ARRIVAL`.
 */
export function traceableChanges({ Logical_Flow: flows, Datapath_Binding: datapaths }: Southbound): Operation[] {
  const updates = flows.flatMap((flow): Operation[] => {
    const { _uuid, match, actions } = flow;
    const wanted = { match: traceableMatch(match as string), actions: traceableActions(flow) };
    if (wanted.match === match && wanted.actions === actions) return [];
    return [{ op: "update", table: "Logical_Flow", where: [["_uuid", "==", ["uuid", _uuid as string]]], row: wanted }];
  });
  const { stage, ...arrival } = ARRIVAL;
  const inserts = datapaths.map(({ _uuid }): Operation => {
    const position = { logical_datapath: ["uuid", _uuid as string], pipeline: "ingress", table_id: 0, priority: HIGHEST_PRIORITY } as const;
    return { op: "insert", table: "Logical_Flow", row: { ...position, ...arrival, external_ids: ["map", [["stage-name", stage]]] } };
  });
  return [...updates, ...inserts];
}
