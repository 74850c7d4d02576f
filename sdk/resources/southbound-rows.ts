import type { RawRowsArgs } from "@pulumi-ovn/provider";
import type * as pulumi from "@pulumi/pulumi";
import { type RowArgs, RowResource } from "../resource";

/** Rows of any table of a zone's Southbound database, for what no other resource makes. */
export class SouthboundRows extends RowResource {
  /** UUIDs of the rows, by the names given to them; known in previews. */
  declare readonly uuids: pulumi.Output<Record<string, string>>;

  constructor(name: string, args: RowArgs<RawRowsArgs>, options?: pulumi.CustomResourceOptions) {
    super("SouthboundRows", name, args, ["uuids"], options);
  }
}
