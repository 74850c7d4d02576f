import type { PropagationArgs } from "@pulumi-ovn/provider";
import type * as pulumi from "@pulumi/pulumi";
import { OvnResource, type ResourceArgs } from "../resource";

/** Waits until northd, or every chassis, of a zone has processed the stack's rows. Dependent resources start only then. */
export class Propagation extends OvnResource {
  constructor(name: string, args: ResourceArgs<PropagationArgs>, options?: pulumi.CustomResourceOptions) {
    super("Propagation", name, args, [], options);
  }
}
