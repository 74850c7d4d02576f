import type { RawRowsArgs } from "@pulumi-ovn/provider";
import type * as pulumi from "@pulumi/pulumi";
import type { RowArgs } from "../resource";
import { RawRows } from "./raw-rows";

/** Rows of any table of a zone's Northbound database, for what no other resource makes. */
export class NorthboundRows extends RawRows {
  constructor(name: string, args: RowArgs<RawRowsArgs>, options?: pulumi.CustomResourceOptions) {
    super("NorthboundRows", name, args, ["uuids"], options);
  }
}
