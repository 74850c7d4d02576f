import type { Requirement } from "../../backends/rows/set";

const OVN_25_03 = { schema: "7.11.0", release: "25.03" };
const OVN_26_03 = { schema: "7.18.0", release: "26.03" };

/** On older releases the remote port stays a patch port, and packets for other nodes are silently lost. */
export const REMOTE_ROUTER_PORTS: Requirement = { feature: "remote ports of a transit router", ...OVN_25_03 };
export const CT_COMMIT_ALL: Requirement = { feature: "router option ct-commit-all", ...OVN_25_03 };
export const ROUTE_IMPORT: Requirement = { feature: "route import (router option dynamic-routing)", ...OVN_25_03 };
export const DYNAMIC_ROUTING: Requirement = { feature: "router option dynamic-routing", ...OVN_25_03 };
export const DISABLE_GARP_RARP: Requirement = { feature: "router option disable_garp_rarp", ...OVN_26_03 };
