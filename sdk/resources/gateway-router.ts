import { type GatewayRouterArgs, gatewayRouterTakes } from "@pulumi-ovn/provider";
import type * as pulumi from "@pulumi/pulumi";
import { claimOutside, comparedZone } from "../agreement";
import { type RowArgs, RowResource } from "../resource";

/** A node's gateway router and its external switch, with default routes and source translation, on the node's own chassis. */
export class GatewayRouter extends RowResource {
  /** UUID of the Logical_Router. */
  declare readonly uuid: pulumi.Output<string>;
  /** Name of the Logical_Router. */
  declare readonly name: pulumi.Output<string>;
  /** MAC of the port to the outside. */
  declare readonly externalMac: pulumi.Output<string>;

  constructor(name: string, args: RowArgs<GatewayRouterArgs>, options?: pulumi.CustomResourceOptions) {
    const zone = comparedZone<GatewayRouterArgs>("GatewayRouter", name, args, (known, secret) =>
      claimOutside({ resource: name, zone: known.zone, secret }, gatewayRouterTakes(known)),
    );
    super("GatewayRouter", name, { ...args, zone }, ["uuid", "externalMac"], options);
  }
}
