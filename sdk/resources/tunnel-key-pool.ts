import { allocateTunnelKeys, type TunnelKeyPoolArgs, tunnelKeyPoolSchema } from "@pulumi-ovn/provider";
import * as pulumi from "@pulumi/pulumi";
import { ownOf } from "../owned";
import { OvnResource, type ResourceArgs } from "../resource";
import { assignedBy } from "./pool-output";

/**
 * Tunnel keys for networks that span zones, kept in the stack's state: an owner keeps its keys when others are added or removed. Writes to no
 * database.
 */
export class TunnelKeyPool extends OvnResource {
  /** The keys of every owner. */
  declare readonly keys: pulumi.Output<Record<string, number[]>>;

  readonly #what: string;

  constructor(name: string, args: ResourceArgs<TunnelKeyPoolArgs>, options?: pulumi.CustomResourceOptions) {
    super("TunnelKeyPool", name, args, ["keys"], options);
    this.keys = assignedBy(this.keys, args, (known) => allocateTunnelKeys(tunnelKeyPoolSchema.parse(known), {}));
    this.#what = `TunnelKeyPool "${name}"`;
  }

  /** The keys of one owner, a name among `owners`. */
  of(owner: string): pulumi.Output<number[]> {
    return this.keys.apply((keys) => ownOf(this.#what, keys, owner));
  }
}
