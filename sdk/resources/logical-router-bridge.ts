import type { LogicalRouterBridgeArgs } from "@pulumi-ovn/provider";
import type * as pulumi from "@pulumi/pulumi";
import { FlowResource, type ResourceArgs } from "../resource";

/** The logical router of a VPC on one host: its bridge, patch ports, and the flows that route and apply ACLs. */
export class LogicalRouterBridge extends FlowResource {
  /** Name of the logical router's bridge. */
  declare readonly bridge: pulumi.Output<string>;
  /** "enabled", "disabled", or "fallback: ..." with the ends of tunnels that do not work: then it is disabled, until an update finds that they work. */
  declare readonly state: pulumi.Output<string>;
  /** Number of the last update that the host has, which its bridges have too (`external_ids:pulumi-ovn:sequence`); not known in previews. */
  declare readonly sequence: pulumi.Output<number>;

  constructor(name: string, args: ResourceArgs<LogicalRouterBridgeArgs>, options?: pulumi.CustomResourceOptions) {
    super("LogicalRouterBridge", name, args, ["bridge", "state", "sequence"], options);
  }
}
