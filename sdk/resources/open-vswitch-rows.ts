import type { RawRowsArgs } from "@pulumi-ovn/provider";
import type * as pulumi from "@pulumi/pulumi";
import type { RowArgs } from "../resource";
import { RawRows } from "./raw-rows";

/** Rows of any table of a zone's host's Open vSwitch database, for what no other resource makes. */
export class OpenVSwitchRows extends RawRows {
  constructor(name: string, args: RowArgs<RawRowsArgs>, options?: pulumi.CustomResourceOptions) {
    super("OpenVSwitchRows", name, args, ["uuids"], options);
  }
}
