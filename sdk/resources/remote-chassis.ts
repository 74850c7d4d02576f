import type { RemoteChassisArgs } from "@pulumi-ovn/provider";
import type * as pulumi from "@pulumi/pulumi";
import { type RowArgs, RowResource } from "../resource";

/** Chassis of other zones in one zone's Southbound database, for installations in which nothing else writes them. */
export class RemoteChassis extends RowResource {
  constructor(name: string, args: RowArgs<RemoteChassisArgs>, options?: pulumi.CustomResourceOptions) {
    super("RemoteChassis", name, args, [], options);
  }
}
