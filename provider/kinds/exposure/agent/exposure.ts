import { z } from "zod";

/**
 * Prefix of the keys of NB_Global's `options` with exposures for agents, one per resource. northd copies all options into SB_Global (ovn-sb(5)),
 * where the agents of the zone read them.
 */
export const AGENT_KEY = "pulumi-ovn-bgp:";

/** Default routing table of an exposure. */
export const DEFAULT_AGENT_TABLE = 1200;

/** The last table that FRR announces by itself (`redistribute table-direct`). */
export const LAST_AGENT_TABLE = 65_535;

const selection = z.object({ networks: z.array(z.string()), ports: z.array(z.string()), labels: z.record(z.string(), z.string()) });

/** An exposure as an agent gets it: what the chassis that it names announce, and how. */
export const agentExposure = z.object({
  /** Version of this format. An agent of an older release refuses a version that it does not know. */
  version: z.literal(1),
  /** Names of the chassis (system-id). */
  chassis: z.array(z.string()),
  /** AS number of the chassis's BGP instance. */
  asNumber: z.number().int().min(1).max(4_294_967_295),
  /** Router IDs by chassis. Without an entry, the router ID of the running FRR is used. */
  routerIds: z.record(z.string(), z.ipv4()).default({}),
  /** The routing table that is announced; all exposures of one chassis say the same. */
  table: z
    .number()
    .int()
    .min(1)
    .max(LAST_AGENT_TABLE)
    .refine((table) => table < 252 || table > 255, "is a table of the kernel's own"),
  floatingIPs: z.boolean(),
  loadBalancers: z.boolean(),
  providerPorts: z.boolean(),
  tenantNetworks: z.enum(["subnet", "host"]).optional(),
  tenantAddresses: z.enum(["all", "global"]),
  addressScopes: z.array(z.string()).optional(),
  /** IPv6 addresses that workloads and routers on provider networks have as their gateway, and the chassis answer for. */
  gateways: z.array(z.string()).optional(),
  select: selection.optional(),
  exclude: selection.optional(),
});

export type AgentExposure = z.output<typeof agentExposure>;
