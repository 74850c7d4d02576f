import type { ZodType } from "zod";
import type { DatabaseName, LocalReference, RowSet } from "./rows/rowset";

/** Arguments that every kind has. */
export interface ZoneArgs {
  /** Name of the OVN zone, a key of the stack configuration `ovn:zones`. Changing it replaces the resource. */
  zone: string;
}

/** What a kind makes of its arguments. */
export interface Rendered {
  readonly set: RowSet;
  /** The row that others refer to, where there is such; its UUID is the resource's output `uuid`. */
  readonly primary?: LocalReference;
  /** Rows of a resource without such a row that others may refer to; their UUIDs are its output `uuids`, by key. */
  readonly exposes?: readonly LocalReference[];
  /** Further outputs: plain JSON, known in previews, small. */
  readonly outputs?: Readonly<Record<string, unknown>>;
}

/**
 * A resource kind that consists of rows: an argument schema and a pure function. The engine does the rest.
 *
 * Everything but `zone` can normally change in place. So that a rename keeps the rows that other resources put inside,
 * a row that holds others (a router, a switch) has a key that says its role, not its name.
 */
export interface RowKind<Args extends ZoneArgs> {
  /** Last part of the type token, such as `TransitRouter`. */
  readonly name: string;
  /**
   * Strict: unknown arguments are failures. Checks each argument by itself; defaults are filled in.
   * Relations between arguments are checked by `render`.
   */
  readonly schema: ZodType<Args>;
  /** Throws ArgumentError with every failure that it finds. No I/O, no clock, no chance. */
  readonly render: (args: Args) => Rendered;
  /** Names of `Rendered.outputs`. */
  readonly outputs: readonly string[];
  /** The zone's database that the rows go to. */
  readonly database: DatabaseName;
  /** Arguments that can't change in place (besides `zone`). */
  readonly replaceOnChange: readonly (keyof Args & string)[];
}
