import type { Layer2SwitchArgs } from "@pulumi-ovn/provider";
import type * as pulumi from "@pulumi/pulumi";
import { agreedZone } from "../agreement";
import { type RowArgs, RowResource } from "../resource";

/**
 * The switch of a layer-2 network in one zone: Logical_Switch, the host's management port, its ACL. All zones have the
 * same switch, under the same tunnel key.
 */
export class Layer2Switch extends RowResource {
  /** UUID of the Logical_Switch. */
  declare readonly uuid: pulumi.Output<string>;
  /** Name of the Logical_Switch. */
  declare readonly name: pulumi.Output<string>;

  constructor(name: string, args: RowArgs<Layer2SwitchArgs>, options?: pulumi.CustomResourceOptions) {
    const zone = agreedZone("Layer2Switch", name, args);
    super("Layer2Switch", name, { ...args, zone }, ["uuid"], options);
  }
}
