import type { GatewayPeerArgs } from "@pulumi-ovn/provider";
import type * as pulumi from "@pulumi/pulumi";
import { agreedZone } from "../agreement";
import { type RowArgs, RowResource } from "../resource";

/**
 * The links between one zone's transit router and all gateway routers: the peered pair of the zone's own node, remote
 * ports for the others, and the routes over them.
 */
export class GatewayPeer extends RowResource {
  /** UUID of the transit router's port to the zone's own gateway router. */
  declare readonly uuid: pulumi.Output<string>;
  /** Join addresses of the zone's own gateway router. */
  declare readonly joinAddresses: pulumi.Output<string[]>;
  /** The gateway router's ends of the link, next hops for routing policies. */
  declare readonly transitAddresses: pulumi.Output<string[]>;

  constructor(name: string, args: RowArgs<GatewayPeerArgs>, options?: pulumi.CustomResourceOptions) {
    const zone = agreedZone("GatewayPeer", name, args);
    super("GatewayPeer", name, { ...args, zone }, ["uuid", "joinAddresses", "transitAddresses"], options);
  }
}
