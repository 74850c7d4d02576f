import type { LogicalRouterBridgeArgs } from "@pulumi-ovn/provider";
import type * as pulumi from "@pulumi/pulumi";
import { FlowResource, type ResourceArgs } from "../resource";

/** The logical router of a VPC on one host: its bridge, patch ports, and the flows that route and apply ACLs. */
export class LogicalRouterBridge extends FlowResource {
  /** Name of the logical router's bridge. */
  declare readonly bridge: pulumi.Output<string>;
  /** "enabled", "disabled", or "fallback: ..." with the failed ends of tunnels. */
  declare readonly state: pulumi.Output<string>;
  /** Number of the host's last update (`external_ids:pulumi-ovn:sequence` of its bridges); not known in previews. */
  declare readonly sequence: pulumi.Output<number>;

  constructor(name: string, args: ResourceArgs<LogicalRouterBridgeArgs>, options?: pulumi.CustomResourceOptions) {
    super("LogicalRouterBridge", name, args, ["bridge", "state", "sequence"], options);
  }
}
