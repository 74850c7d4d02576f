import type { KubernetesObjectsArgs } from "@pulumi-ovn/provider";
import type * as pulumi from "@pulumi/pulumi";
import { type ObjectArgs, ObjectResource } from "../resource";

/** Objects of any kind in a Kubernetes cluster, applied and deleted as one set. */
export class KubernetesObjects extends ObjectResource {
  constructor(name: string, args: ObjectArgs<KubernetesObjectsArgs>, options?: pulumi.CustomResourceOptions) {
    super("KubernetesObjects", name, args, [], options);
  }
}
