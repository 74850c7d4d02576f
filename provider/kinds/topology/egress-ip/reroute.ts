import { defineKind } from "../../define";
import type { Rendered } from "../../../backends/rows/kind";
import { local, rowSet } from "../rows";
import { type EgressRerouteSpec, schema } from "./reroute-args";
import { check } from "./reroute-check";
import { rerouteRows } from "./reroute-rows";

function render(args: EgressRerouteSpec): Rendered {
  check(args);
  const rows = rerouteRows(args);
  return { set: rowSet("OVN_Northbound", rows, args), primary: local(rows[0]!.table, rows[0]!.key) };
}

/** The way of a zone's workloads to their egress addresses. */
export const egressReroute = defineKind({ backend: "rows", name: "EgressReroute", database: "OVN_Northbound", schema, render, outputs: [] });
