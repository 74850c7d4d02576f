import type { TransitRouterArgs } from "@pulumi-ovn/provider";
import type * as pulumi from "@pulumi/pulumi";
import { agreedZone } from "../agreement";
import { type RowArgs, RowResource } from "../resource";

/**
 * One zone's part of a transit router: the Logical_Router, its port on the layer-2 switch, the default gateway, its Gateway_Chassis, and the
 * translation for the management port.
 */
export class TransitRouter extends RowResource {
  /** UUID of the Logical_Router. */
  declare readonly uuid: pulumi.Output<string>;
  /** Name of the Logical_Router. */
  declare readonly name: pulumi.Output<string>;
  /** MAC of the default gateway, the same in every zone. */
  declare readonly gatewayMac: pulumi.Output<string>;

  constructor(name: string, args: RowArgs<TransitRouterArgs>, options?: pulumi.CustomResourceOptions) {
    const zone = agreedZone("TransitRouter", name, args);
    super("TransitRouter", name, { ...args, zone }, ["uuid", "gatewayMac"], options);
  }
}
