import { z } from "zod";
import { byName } from "../topology/fields";
import { aclLists, hostList, tierFields, virtualRouterFields, vpcFields, workloadFields } from "./args";

// Parts of a VPC's arguments, for programs that know some of them later. They let pass what they don't name.

const { tier, host, mac, addresses, port, portSecurity } = workloadFields;
const { name, datapathType, tunnelType, enabled, stateful, conntrackZone, agent, bfd } = vpcFields;
const place = { tier, host };

/** What decides which resources there are, and what their bridges are called. */
export const vpcFrame = z.object({
  name,
  tiers: byName(z.object({ key: tierFields.key })),
  workloads: byName(z.object(place)).default({}),
  virtualRouter: z.object({ host: virtualRouterFields.host }),
});

/** What bridges, tunnels and interfaces depend on; on MACs and addresses with port security alone. */
export const bridgesPart = z.object({
  ...vpcFrame.shape,
  hosts: hostList,
  workloads: byName(z.object({ ...place, port, portSecurity, mac: mac.optional(), addresses: addresses.optional() })).default({}),
  virtualRouter: z.object(virtualRouterFields),
  tunnelType,
  datapathType,
  agent,
  bfd,
  portSecurity: vpcFields.portSecurity,
});

/** What logical routers depend on; of tunnels the type, which says which keys there are. */
export const routersPart = z.object({
  ...vpcFrame.shape,
  tiers: byName(z.object(tierFields)),
  workloads: byName(z.object({ ...place, mac, addresses })).default({}),
  acls: aclLists,
  tunnelType,
  enabled,
  stateful,
  conntrackZone,
  agent,
  bfd,
  datapathType,
});

export type VpcFrame = z.output<typeof vpcFrame>;
export type BridgesPart = z.output<typeof bridgesPart>;
export type RoutersPart = z.output<typeof routersPart>;
