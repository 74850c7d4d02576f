import type { DhcpOptionsArgs } from "@pulumi-ovn/provider";
import type * as pulumi from "@pulumi/pulumi";
import { type RowArgs, RowResource } from "../resource";

/** DHCP answers of OVN for the workloads of one subnet. The ports of `WorkloadPorts` refer to it by UUID. */
export class DhcpOptions extends RowResource {
  /** UUID of the DHCP_Options row, for `dhcpv4Options` and `dhcpv6Options`. */
  declare readonly uuid: pulumi.Output<string>;

  constructor(name: string, args: RowArgs<DhcpOptionsArgs>, options?: pulumi.CustomResourceOptions) {
    super("DhcpOptions", name, args, ["uuid"], options);
  }
}
