import type { NodeLocalGatewayArgs } from "@pulumi-ovn/provider";
import type * as pulumi from "@pulumi/pulumi";
import { type RowArgs, RowResource } from "../resource";

/**
 * The way from a router to the hosts themselves: distributed gateway port, node-local switch, a 1-to-1 translation for
 * each node, and the policies that keep packets for a node's own addresses on the node.
 */
export class NodeLocalGateway extends RowResource {
  /** UUID of the Logical_Router_Port. */
  declare readonly uuid: pulumi.Output<string>;

  constructor(name: string, args: RowArgs<NodeLocalGatewayArgs>, options?: pulumi.CustomResourceOptions) {
    super("NodeLocalGateway", name, args, ["uuid"], options);
  }
}
