import { z } from "zod";
import { byName, common, destination, name, names, nextHops, packetMark, requiredIps, rowReference, schemaOf } from "../fields";
import type { TopologyArgs } from "../rows";

/**
 * The way of a zone's workloads to their egress addresses: over the zone's part of the transit router, over the gateway
 * router of the zone's node in the gateway topology, or over either while the network moves from one to the other.
 */
export interface EgressRerouteArgs extends TopologyArgs {
  /** Name of the policy: part of keys and of the names of address sets, so unique in the zone. */
  policy: string;
  /**
   * The router whose policies lead to the egress addresses, of workloads here and in other zones: the transit router, UUID or name. Default:
   * none, in the gateway topology; `gateway` is required then.
   */
  router?: string;
  /**
   * Policies on the gateway router, for the zone's own workloads; together with those on `router` in a network on its way
   * from one topology to the other. Default: none.
   */
  gateway?: EgressGatewayArgs;
  /** The layer-2 switch: UUID or name. */
  switch: string;
  /** Workloads by name, in any order. */
  workloads: Record<string, EgressWorkloadArgs>;
  /**
   * Next hops by node, of each family at most one: transit addresses of the gateway routers, the join address of a node
   * that is on the old topology. New connections are spread over all of a family. OVN leaves out one that is on no
   * port, and does not notice when one is dead. Required with `router`.
   */
  nextHops?: Record<string, string[]>;
  /**
   * The policies on `router` may vanish with it: `Layer2Gateway` removes a transit router that no packet comes to before
   * this resource is updated. Without it the removal is refused. Default: false.
   */
  goWithRouter?: boolean;
  /** Destinations that are not rerouted: the network's own subnets, join and transit subnets, addresses of the nodes. */
  keep: string[];
  /**
   * Let answers to connections that began outside go back the way they came instead of out with the egress address.
   * It makes the switch stateful: an ACL that matches nothing, without which OVN tracks no connections there.
   * Default: true.
   */
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
  /**
   * Names of its ports on the switch: only packets that come in by these are rerouted. Needed together with `router`, as
   * what comes from there has been decided about. Default: all packets.
   */
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
