import { z } from "zod";
import { byName } from "../topology/fields";
import { aclLists, hostList, tierFields, virtualRouterFields, vpcFields, workloadFields } from "./args";

// Parts of a VPC's arguments, for programs that know some of them later. They let pass what they don't name.

const { tier, host, mac, addresses, port, portSecurity } = workloadFields;
const { name, datapathType, tunnelType, enabled, stateful, conntrackZone, agent, bfd } = vpcFields;
const place = { tier, host };

/** Arguments that decide which resources exist, and the names of their bridges. */
export const vpcFrame = z.object({
  name,
  tiers: byName(z.object({ key: tierFields.key })),
  workloads: byName(z.object(place)).default({}),
  virtualRouter: z.object({ host: virtualRouterFields.host }),
});

/** Arguments that bridges, tunnels and interfaces depend on. MACs and addresses matter only with port security. */
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

/** Arguments that logical routers depend on. The tunnel type decides which keys are valid. */
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
