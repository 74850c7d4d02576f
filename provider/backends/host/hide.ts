import { hideFlows } from "../flows/hide";
import { hideRows } from "../rows/hide";
import type { HostRendered } from "./kind";

/** What people may read of a host's rows and flows: see `hideRows` and `hideFlows`. */
export function hideHost(desired: HostRendered, twin: HostRendered): HostRendered {
  return { ...desired, rows: hideRows(desired.rows, twin.rows), flows: hideFlows(desired.flows, twin.flows) };
}
