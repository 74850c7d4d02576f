import { type AddressPoolArgs, addressPoolSchema, allocateAddresses } from "@pulumi-ovn/provider";
import * as pulumi from "@pulumi/pulumi";
import { ownOf } from "../owned";
import { OvnResource, type ResourceArgs } from "../resource";
import { assignedBy } from "./pool-output";

/**
 * Addresses, one of each subnet per owner, kept in the stack's state: an owner keeps its address when others are added or removed. Writes to no
 * database.
 */
export class AddressPool extends OvnResource {
  /** The addresses of every owner, in the order of the subnets. */
  declare readonly addresses: pulumi.Output<Record<string, string[]>>;

  readonly #what: string;

  constructor(name: string, args: ResourceArgs<AddressPoolArgs>, options?: pulumi.CustomResourceOptions) {
    super("AddressPool", name, args, ["addresses"], options);
    this.addresses = assignedBy(this.addresses, args, (known) => allocateAddresses(addressPoolSchema.parse(known), {}));
    this.#what = `AddressPool "${name}"`;
  }

  /** The addresses of one owner, a name among `owners`. */
  of(owner: string): pulumi.Output<string[]> {
    return this.addresses.apply((addresses) => ownOf(this.#what, addresses, owner));
  }
}
