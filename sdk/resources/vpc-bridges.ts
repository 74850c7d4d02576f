import type { VpcBridgesArgs } from "@pulumi-ovn/provider";
import type * as pulumi from "@pulumi/pulumi";
import { FlowResource, type ResourceArgs } from "../resource";

/** A host's part of a VPC without its routing: bridges, tunnels, interfaces, and the flows that switch between them. */
export class VpcBridges extends FlowResource {
  /** Names of the tiers' bridges, by tier. */
  declare readonly bridges: pulumi.Output<Record<string, string>>;
  /** Number of the host's last update (`external_ids:pulumi-ovn:sequence` of its bridges); not known in previews. */
  declare readonly sequence: pulumi.Output<number>;

  constructor(name: string, args: ResourceArgs<VpcBridgesArgs>, options?: pulumi.CustomResourceOptions) {
    super("VpcBridges", name, args, ["bridges", "sequence"], options);
  }
}
