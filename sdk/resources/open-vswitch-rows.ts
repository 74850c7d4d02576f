import type { RawRowsArgs } from "@pulumi-ovn/provider";
import type * as pulumi from "@pulumi/pulumi";
import { type RowArgs, RowResource } from "../resource";

/** Rows of any table of a zone's host's Open vSwitch database, for what no other resource makes. */
export class OpenVSwitchRows extends RowResource {
  /** UUIDs of the rows, by the names given to them; known in previews. */
  declare readonly uuids: pulumi.Output<Record<string, string>>;

  constructor(name: string, args: RowArgs<RawRowsArgs>, options?: pulumi.CustomResourceOptions) {
    super("OpenVSwitchRows", name, args, ["uuids"], options);
  }
}
