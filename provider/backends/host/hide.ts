import { hideFlows } from "../flows/hide";
import { hideRows } from "../rows/hide";
import type { HostRendered } from "./kind";

/** Rows and flows of a host without secret values: see `hideRows` and `hideFlows`. */
export function hideHost(desired: HostRendered, twin: HostRendered): HostRendered {
  return { ...desired, rows: hideRows(desired.rows, twin.rows), flows: hideFlows(desired.flows, twin.flows) };
}
