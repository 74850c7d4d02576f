import type * as pulumi from "@pulumi/pulumi";
import { RowResource } from "../resource";

/** A resource whose rows the stack names one by one. */
export abstract class RawRows extends RowResource {
  /** UUIDs of the rows, by the names given to them. */
  declare readonly uuids: pulumi.Output<Record<string, string>>;

  /** UUID of one of the rows. Fails if no entry has this name. */
  uuidOf(entry: string): pulumi.Output<string> {
    return this.uuids.apply((uuids) => {
      const uuid = Object.hasOwn(uuids, entry) ? uuids[entry] : undefined;
      if (uuid === undefined) throw new Error(`there is no entry "${entry}"; there is ${Object.keys(uuids).join(", ")}`);
      return uuid;
    });
  }
}
