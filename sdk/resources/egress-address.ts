import type { EgressAddressArgs } from "@pulumi-ovn/provider";
import type * as pulumi from "@pulumi/pulumi";
import { type RowArgs, RowResource } from "../resource";

/**
 * One egress address on one node: translation on the node's gateway router, and the announcement of the address to the
 * network outside, IPv4 and IPv6. `EgressIPPolicy` makes them for a whole network.
 */
export class EgressAddress extends RowResource {
  /** The egress address, in its shortest form. */
  declare readonly address: pulumi.Output<string>;

  constructor(name: string, args: RowArgs<EgressAddressArgs>, options?: pulumi.CustomResourceOptions) {
    super("EgressAddress", name, args, [], options);
  }
}
