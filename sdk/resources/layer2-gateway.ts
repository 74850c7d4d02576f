import type { Layer2GatewayArgs } from "@pulumi-ovn/provider";
import type * as pulumi from "@pulumi/pulumi";
import { agreedZone } from "../agreement";
import { type RowArgs, RowResource } from "../resource";

/**
 * Everything between a zone's layer-2 switch and its gateway router, in the gateway topology, in the transit topology and
 * on the way from one to the other. A node's move is one transaction of only this resource.
 */
export class Layer2Gateway extends RowResource {
  /** UUID of the transit router. Undefined without one (gateway topology outside of an upgrade). */
  declare readonly uuid: pulumi.Output<string>;
  /** MAC that the zone's workloads find at the default gateway's address. */
  declare readonly gatewayMac: pulumi.Output<string>;
  /** Join addresses of the zone's own gateway router. */
  declare readonly joinAddresses: pulumi.Output<string[]>;
  /** The gateway router's ends of its link to the transit router. */
  declare readonly transitAddresses: pulumi.Output<string[]>;

  constructor(name: string, args: RowArgs<Layer2GatewayArgs>, options?: pulumi.CustomResourceOptions) {
    const zone = agreedZone("Layer2Gateway", name, args);
    super("Layer2Gateway", name, { ...args, zone }, ["uuid", "gatewayMac", "joinAddresses", "transitAddresses"], options);
  }
}
