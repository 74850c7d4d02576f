import type { PropagationArgs } from "@pulumi-ovn/provider";
import type * as pulumi from "@pulumi/pulumi";
import { OvnResource, type ResourceArgs } from "../resource";

/**
 * Waits until northd, or every chassis, of a zone has processed what the stack wrote there. One wait for all rows; whatever
 * depends on this resource starts only then.
 */
export class Propagation extends OvnResource {
  constructor(name: string, args: ResourceArgs<PropagationArgs>, options?: pulumi.CustomResourceOptions) {
    super("Propagation", name, args, [], options);
  }
}
