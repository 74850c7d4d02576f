import type { RawRowsArgs } from "@pulumi-ovn/provider";
import type * as pulumi from "@pulumi/pulumi";
import type { RowArgs } from "../resource";
import { RawRows } from "./raw-rows";

/** Rows that no other resource makes, in any table of a host's Open vSwitch database. Its `zone` may also be one of the `hosts` in the file of targets. */
export class OpenVSwitchRows extends RawRows {
  constructor(name: string, args: RowArgs<RawRowsArgs>, options?: pulumi.CustomResourceOptions) {
    super("OpenVSwitchRows", name, args, ["uuids"], options);
  }
}
