import type { DatabaseSchema } from "@pulumi-ovn/ovsdb-client";
import type { Kind, Outputs } from "../contract/kind";
import type { DatabaseName } from "../../targets/database";
import type { Misfit } from "./database/misfit";
import type { Extent } from "./marks/extent";
import type { LocalReference, RowSet } from "./set";

/** Arguments that every kind has that consists of rows. */
export interface ZoneArgs {
  /** Name of the OVN zone, a key of `zones` in the file of targets. */
  zone: string;
}

/** An argument of every resource that consists of rows. */
export interface AdoptArgs {
  /**
   * Takes over existing rows. `true`: rows without an owner mark. `owners`: also rows with these marks. See docs/how-to/adoption.md. Default:
   * false.
   */
  adopt?: boolean | { owners: string[] };
}

/** Rendered arguments of a kind of rows. */
export interface Rendered extends Outputs {
  readonly set: RowSet;
  /** The row that others refer to, where there is such; its UUID is the resource's output `uuid`. */
  readonly primary?: LocalReference;
  /** Rows of a resource without such a row that others may refer to; their UUIDs are its output `uuids`, by key. */
  readonly exposes?: readonly LocalReference[];
}

/** A kind of resource that consists of rows. */
export interface RowKind<Args extends ZoneArgs, Facts = void> extends Kind<Args, Rendered, Facts> {
  readonly backend: "rows";
  /** The zone's database that the rows go to. */
  readonly database: DatabaseName;
  /** Arguments that a schema does not support. Pure. Default: none. */
  readonly misfits?: (args: Args, schema: DatabaseSchema, adopts: boolean) => readonly Misfit[];
  /** Location of its rows, for updates and deletes without knowledge of previous rows. Required with `fromMembers`. */
  readonly extent?: Extent;
}
