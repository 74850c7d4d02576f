import * as pulumi from "@pulumi/pulumi";
import { advertisedNetworks, type RouteAdvertisementArgs } from "../components/advertised-networks";
import { named } from "../program-error";
import { ObjectResource } from "../resource";

/** Networks and egress addresses, announced to a BGP fabric from the nodes of a Kubernetes cluster with frr-k8s. */
export class RouteAdvertisement extends ObjectResource {
  /** False after a refresh that found nothing to generate, or if ovn-kubernetes' controller has not accepted the object. */
  declare readonly accepted: pulumi.Output<boolean>;
  /** Reason for the refusal; set only if the advertisement is not accepted. */
  declare readonly reason: pulumi.Output<string | undefined>;
  /** Prefixes that at least one neighbour receives, keyed by node; empty with `mode: "controller"`. */
  declare readonly announced: pulumi.Output<Record<string, string[]>>;

  constructor(name: string, args: RouteAdvertisementArgs, options?: pulumi.CustomResourceOptions) {
    const what = named("RouteAdvertisement", name, args);
    const { networks, resources } = advertisedNetworks(args.networks, what);
    super("RouteAdvertisement", name, { ...args, networks }, ["accepted", "reason", "announced"], pulumi.mergeOptions(options, { dependsOn: [...resources] }));
  }
}
