import type { ZodType } from "zod";
import type { DatabaseName, LocalReference, RowSet } from "./rows/rowset";

/** Arguments that every kind has. */
export interface ZoneArgs {
  /** Name of the OVN zone, a key of `zones` in the file of targets. Changing it replaces the resource. */
  zone: string;
}

/** What every back end's kinds make of their arguments, beside what is to be written. */
export interface Outputs {
  /** Further outputs: plain JSON, known in previews, small. */
  readonly outputs?: Readonly<Record<string, unknown>>;
}

/** What a kind of rows makes of its arguments. */
export interface Rendered extends Outputs {
  readonly set: RowSet;
  /** The row that others refer to, where there is such; its UUID is the resource's output `uuid`. */
  readonly primary?: LocalReference;
  /** Rows of a resource without such a row that others may refer to; their UUIDs are its output `uuids`, by key. */
  readonly exposes?: readonly LocalReference[];
}

/**
 * A kind of resource: an argument schema and a pure function from arguments to what is desired. Its back end does the
 * rest.
 *
 * Everything but the target can change in place. So that a rename keeps what other resources put inside, an object that
 * holds others (a router, a switch) has a key that says its role, not its name.
 */
export interface Kind<Args, Desired extends Outputs> {
  /** Last part of the type token, such as `TransitRouter`. */
  readonly name: string;
  /**
   * Strict: unknown arguments are failures. Checks each argument by itself; defaults are filled in.
   * Relations between arguments are checked by `render`.
   */
  readonly schema: ZodType<Args>;
  /** Throws ArgumentError with every failure that it finds. No I/O, no clock, no chance. */
  readonly render: (args: Args) => Desired;
  /** Names of `Outputs.outputs`. */
  readonly outputs: readonly string[];
}

/** A kind of resource that consists of rows. */
export interface RowKind<Args extends ZoneArgs> extends Kind<Args, Rendered> {
  /** The zone's database that the rows go to. */
  readonly database: DatabaseName;
}
