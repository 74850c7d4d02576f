import type { NetworkMembersArgs } from "@pulumi-ovn/provider";
import * as pulumi from "@pulumi/pulumi";
import { isPlain } from "../plain";
import { OvnResource } from "../resource";

type ListName = keyof NetworkMembersArgs;

/** The lists of a network, each of which may be an output. */
export type MemberInputs = { readonly [List in ListName]?: pulumi.Input<object> };

/**
 * Nodes, chassis and workloads of a network, once for all zones: the state grows with the zones, and a preview shows added and removed nodes and
 * workloads. Resources of the zones refer to the lists. Writes to no database.
 */
export class NetworkMembers extends OvnResource {
  /** @internal How the resources of zones refer to each list. */
  declare readonly lists: pulumi.Output<Readonly<Partial<Record<ListName, string>>>>;

  /** @internal */
  constructor(
    name: string,
    private readonly args: MemberInputs,
    options?: pulumi.CustomResourceOptions,
  ) {
    super("NetworkMembers", name, args, ["lists"], options);
  }

  /** The argument `members` of a resource that takes its part of a list. A list with a secret hides the rows that come of it, and no others. */
  reference(list: ListName): pulumi.Output<string | undefined> {
    // Not by apply, which waits until all lists are known.
    const reference = pulumi.unsecret(this.lists)[list] as pulumi.Output<string | undefined>;
    const members = this.args[list];
    // Pulumi makes an output of each value in a list that it is asked about.
    if (isPlain(members)) return reference;
    return pulumi.output(pulumi.isSecret(pulumi.output(members))).apply((hidden) => (hidden ? pulumi.secret(reference) : reference));
  }
}
