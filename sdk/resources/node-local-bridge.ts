import type { NodeLocalBridgeArgs } from "@pulumi-ovn/provider";
import type * as pulumi from "@pulumi/pulumi";
import { type RowArgs, RowResource } from "../resource";

/** A host's end of the local network: bridge, internal port, and the bridge's entry in `ovn-bridge-mappings`. */
export class NodeLocalBridge extends RowResource {
  /** UUID of the Bridge. */
  declare readonly uuid: pulumi.Output<string>;
  /** Addresses, with prefix lengths, that the host has to give its internal port. */
  declare readonly addresses: pulumi.Output<string[]>;
  /** MAC of the internal port. */
  declare readonly portMac: pulumi.Output<string>;

  constructor(name: string, args: RowArgs<NodeLocalBridgeArgs>, options?: pulumi.CustomResourceOptions) {
    super("NodeLocalBridge", name, args, ["uuid", "addresses", "portMac"], options);
  }
}
