import { agreementSubjects, datapathOf, type LayerTwoSwitchArgs } from "@pulumi-ovn/provider";
import type * as pulumi from "@pulumi/pulumi";
import { agreedZone } from "../agreement";
import { type RowArgs, RowResource } from "../resource";

/**
 * The switch of a layer-2 network in one zone: Logical_Switch, the host's management port, its ACL. All zones have the
 * same switch, under the same tunnel key.
 */
export class LayerTwoSwitch extends RowResource {
  /** UUID of the Logical_Switch; known in previews. */
  declare readonly uuid: pulumi.Output<string>;
  /** Name of the Logical_Switch. */
  declare readonly name: pulumi.Output<string>;

  constructor(name: string, args: RowArgs<LayerTwoSwitchArgs>, options?: pulumi.CustomResourceOptions) {
    const zone = agreedZone(name, args, agreementSubjects.LayerTwoSwitch, datapathOf.LayerTwoSwitch);
    super("LayerTwoSwitch", name, { ...args, zone }, ["uuid"], options);
  }
}
