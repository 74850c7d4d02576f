import type { BridgeFlowsArgs } from "@pulumi-ovn/provider";
import type * as pulumi from "@pulumi/pulumi";
import { FlowResource, type ResourceArgs } from "../resource";

/** Flows on bridges of a host with Open vSwitch. */
export class BridgeFlows extends FlowResource {
  constructor(name: string, args: ResourceArgs<BridgeFlowsArgs>, options?: pulumi.CustomResourceOptions) {
    super("BridgeFlows", name, args, [], options);
  }
}
