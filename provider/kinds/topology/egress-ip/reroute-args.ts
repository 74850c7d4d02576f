import { z } from "zod";
import { byName, common, destination, name, names, nextHops, packetMark, requiredIps, rowReference, schemaOf } from "../fields";
import type { TopologyArgs } from "../rows";

/**
 * Routing policies of a zone's workloads to their egress addresses, on the transit router, on the gateway router (gateway topology), or on both
 * during an upgrade.
 */
export interface EgressRerouteArgs extends TopologyArgs {
  /** Name of the policy: part of keys and of the names of address sets, so unique in the zone. */
  policy: string;
  /** Transit router with the policies, UUID or name. Default: none, in the gateway topology; then `gateway` is required. */
  router?: string;
  /** Policies on the gateway router, for the zone's own workloads; with `router` during an upgrade. Default: none. */
  gateway?: EgressGatewayArgs;
  /** The layer-2 switch: UUID or name. */
  switch: string;
  /** Workloads by name. */
  workloads: Record<string, EgressWorkloadArgs>;
  /**
   * Next hops by node, at most one per family: transit addresses of the gateway routers, or join addresses. Required with `router`.
   */
  nextHops?: Record<string, string[]>;
  /** The policies may be deleted with `router`, when `Layer2Gateway` removes an unused transit router. Default: false. */
  goWithRouter?: boolean;
  /** Destinations that are not rerouted: the network's own subnets, join and transit subnets, addresses of the nodes. */
  keep: string[];
  /** Replies to connections from outside return the way they came. Makes the switch stateful. Default: true. */
  replies?: boolean;
  /** The mark of such answers, inside of the zone only. 1 to 4294967295. Default: 42. */
  replyMark?: number;
}

export interface EgressWorkloadArgs {
  /** Addresses without masks. */
  addresses: string[];
  /** The nodes among `nextHops` that its packets leave through. Default: all. For a workload of another zone: only this zone's own. */
  through?: string[];
}

export interface EgressGatewayArgs {
  /** The gateway router of the zone's node: UUID or name. */
  router: string;
  /** Ports on the switch from which packets are rerouted. Required together with `router`. Default: all packets. */
  inports?: string[];
  /** As `nextHops`: join addresses of other nodes, and the default gateway outside for the node's own egress address. */
  nextHops: Record<string, string[]>;
}

export const DEFAULT_REPLY_MARK = 42;

export const schema = schemaOf<EgressRerouteArgs>()(
  z.strictObject({
    ...common,
    policy: name,
    router: rowReference.optional(),
    gateway: z.strictObject({ router: rowReference, inports: names.optional(), nextHops: byName(nextHops) }).optional(),
    switch: rowReference,
    workloads: byName(z.strictObject({ addresses: requiredIps, through: names.optional() })),
    nextHops: byName(nextHops).default({}),
    goWithRouter: z.boolean().default(false),
    keep: z.array(destination),
    replies: z.boolean().default(true),
    replyMark: packetMark.default(DEFAULT_REPLY_MARK),
  }),
);
export type EgressRerouteSpec = z.output<typeof schema>;
