import type { Snapshot } from "@pulumi-ovn/agent";
import { type AgentExposure, NO_NORTHBOUND } from "@pulumi-ovn/provider/agent";

/** An exposure for h1, as an agent finds it. */
export const exposureOf = (more: Partial<AgentExposure> = {}): string =>
  JSON.stringify({
    version: 1,
    chassis: ["h1"],
    asNumber: 64513,
    table: 1200,
    floatingIPs: false,
    loadBalancers: false,
    providerPorts: false,
    tenantAddresses: "all",
    ...more,
  });

/** A snapshot of a chassis without bridges and ports. */
export const EMPTY_SNAPSHOT: Snapshot = {
  chassis: { name: "node1", uuid: "u" },
  bridges: {},
  ports: [],
  loadBalancers: [],
  northbound: NO_NORTHBOUND,
  servers: [],
  tunnels: [],
  unreadable: {},
  otherChassis: {},
  exposures: {},
};
