import type { EgressRerouteArgs } from "@pulumi-ovn/provider";
import type * as pulumi from "@pulumi/pulumi";
import { type RowArgs, RowResource } from "../resource";

/**
 * The way of one zone's workloads to their egress addresses: routing policies on the transit router, exemptions, and the mark by which replies
 * return. `EgressIPPolicy` makes them for a whole network.
 */
export class EgressReroute extends RowResource {
  constructor(name: string, args: RowArgs<EgressRerouteArgs>, options?: pulumi.CustomResourceOptions) {
    super("EgressReroute", name, args, [], options);
  }
}
