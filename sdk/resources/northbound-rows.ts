import type { RawRowsArgs } from "@pulumi-ovn/provider";
import type * as pulumi from "@pulumi/pulumi";
import type { RowArgs } from "../resource";
import { RawRows } from "./raw-rows";

/** Rows that no other resource makes, in any table of a zone's Northbound database. */
export class NorthboundRows extends RawRows {
  constructor(name: string, args: RowArgs<RawRowsArgs>, options?: pulumi.CustomResourceOptions) {
    super("NorthboundRows", name, args, ["uuids"], options);
  }
}
