import type { BgpExposureArgs } from "@pulumi-ovn/provider";
import type * as pulumi from "@pulumi/pulumi";
import { type RowArgs, RowResource } from "../resource";

/** What the chassis of gateway routers announce to a BGP fabric: floating IPs, load balancers, provider ports and tenant networks, by OVN's own route exchange. */
export class BgpExposure extends RowResource {
  /** Prefixes that should be announced, by chassis. */
  declare readonly announced: pulumi.Output<Record<string, string[]>>;
  /** Routing tables that each chassis's routing daemon has to announce. */
  declare readonly tables: pulumi.Output<Record<string, number[]>>;

  constructor(name: string, args: RowArgs<BgpExposureArgs>, options?: pulumi.CustomResourceOptions) {
    super("BgpExposure", name, args, ["announced", "tables"], options);
  }
}
