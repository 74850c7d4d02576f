import type { PropagationArgs } from "@pulumi-ovn/provider";
import type * as pulumi from "@pulumi/pulumi";
import { OvnResource, type ResourceArgs } from "../resource";

/**
 * Waits until a zone has followed what the stack wrote there: northd, or every chassis. One wait for all rows; whatever
 * depends on this resource starts only then.
 */
export class Propagation extends OvnResource {
  constructor(name: string, args: ResourceArgs<PropagationArgs>, options?: pulumi.CustomResourceOptions) {
    super("Propagation", name, args, [], options);
  }
}
