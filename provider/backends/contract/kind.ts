import type { DatabaseSchema } from "@pulumi-ovn/ovsdb-client";
import type { ZodType } from "zod";
import type { Failure } from "../../kit/arguments/errors";
import type { Lists } from "./backend";
import type { FromMembers } from "../../kit/members/complete";
import type { ObjectSet } from "../objects/object-set";
import type { Extent } from "../rows/extent";
import type { Misfit } from "../rows/misfit";
import type { LocalReference, RowSet } from "../rows/rowset";
import type { DatabaseName } from "../../targets/database";
import type { Connections } from "../../targets/connections";

/** Arguments that every kind has that consists of rows. */
export interface ZoneArgs {
  /** Name of the OVN zone, a key of `zones` in the file of targets. Changing it replaces the resource. */
  zone: string;
}

/** Arguments that every kind has that consists of Kubernetes objects. */
export interface ClusterArgs {
  /**
   * Name of the Kubernetes cluster, a key of `clusters` in the file of targets; `default` is, where the file has
   * none of this name, the cluster that the stack's configuration of `@pulumi/kubernetes` names. Changing it replaces the resource.
   */
  cluster: string;
}

/** What every back end's kinds make of their arguments, beside what is to be written. */
export interface Outputs {
  /** Further outputs: plain JSON, known in previews, small. */
  readonly outputs?: Readonly<Record<string, unknown>>;
  /** What a preview warns of, while the update goes on. */
  readonly warnings?: readonly Failure[];
}

/** What a kind of rows makes of its arguments. */
export interface Rendered extends Outputs {
  readonly set: RowSet;
  /** The row that others refer to, where there is such; its UUID is the resource's output `uuid`. */
  readonly primary?: LocalReference;
  /** Rows of a resource without such a row that others may refer to; their UUIDs are its output `uuids`, by key. */
  readonly exposes?: readonly LocalReference[];
}

/** What a kind of Kubernetes objects makes of its arguments. */
export interface ObjectRendered extends Outputs {
  readonly set: ObjectSet;
}

/** Outputs that change with the world, which no preview of an unchanged resource is to show: looked for by each create, update and refresh. */
export interface Survey<Args, Facts> {
  /** What they are until they could be looked for. */
  readonly unseen: Readonly<Record<string, unknown>>;
  /** Changes nothing. */
  look(args: Args, facts: Facts, world: World): Promise<Readonly<Record<string, unknown>>>;
}

/** Where a kind may look before it renders. */
export interface World {
  readonly targets: Connections;
  readonly signal?: AbortSignal | undefined;
  /** Whether it is for a preview, which writes nothing. Default: it may be for an update. */
  readonly preview?: boolean | undefined;
  /** In a check: whether the resource takes over existing rows, or has done so. */
  readonly adopts?: boolean | undefined;
  /** In a refresh: takes the list of all objects of the kind that the resource consists of. Its back end then need not ask for them, too. */
  readonly lists?: Lists | undefined;
}

/**
 * Effect of a write that the written objects do not show, such as routes that a daemon announces. An update waits for it. If it fails,
 * the state keeps the resource as written.
 */
export interface Effect<Args, Desired> {
  /**
   * Reads the state before an update, for `wait`.
   * @param former arguments of the last update; undefined if only an older release accepts them
   */
  before(args: Args, former: Args | undefined, world: OwnedWorld): Promise<unknown>;
  /** Waits until the effect has occurred. Rejects after a timeout that the arguments set. */
  wait(args: Args, desired: Desired, world: OwnedWorld, before?: unknown): Promise<void>;
  /** Reason why the target refuses the resource. Undefined if the resource is in force. */
  refusal(args: Args, world: OwnedWorld): Promise<string | undefined>;
  /** Reason in an error of `wait`. Undefined if the target has not refused the resource. */
  refusalIn(error: unknown): string | undefined;
  /** Outputs that tell the reason. */
  outputs(refusal: string | undefined): Readonly<Record<string, unknown>>;
}

/** Target of a resource, with the resource's URN. */
export interface OwnedWorld extends World {
  readonly urn: string;
}

/**
 * A kind of resource: an argument schema and a pure function from arguments, and from what was read of the world where
 * the kind needs that, to what is desired. Its back end does the rest.
 *
 * Everything but the target can change in place. So that a rename keeps what other resources put inside, an object that
 * holds others (a router, a switch) has a key that says its role, not its name.
 */
export interface Kind<Args, Desired extends Outputs, Facts = void> {
  /** Last part of the type token, such as `TransitRouter`. */
  readonly name: string;
  /**
   * Strict: unknown arguments are failures. Checks each argument by itself; defaults are filled in.
   * Relations between arguments are checked by `render`.
   */
  readonly schema: ZodType<Args>;
  /**
   * Reads what `render` must know of the world, at each check and refresh. Plain JSON, in one order, small, and without
   * secrets: it is shown in previews as the property `observed`, and kept in the state, so that a preview which can't
   * reach the target goes by what the last update has seen. Lists that are really sets are maps by name, so that a diff
   * shows what came and went. Changes nothing.
   */
  readonly observe?: (args: Args, world: World) => Promise<Facts>;
  /**
   * Throws ArgumentError with what of new arguments is refused although `render` can make something of it: states that an older
   * release wrote may hold it, and are still to be read, changed and removed. Default: nothing.
   */
  readonly judge?: (args: Args) => void;
  /** The same of what depends on the target; says what a preview warns of. A target that can't be reached now holds up nothing. */
  readonly fitting?: (args: Args, world: World) => Promise<readonly Failure[]>;
  /** What a delete looks for where `render` refuses what the resource was made of. Default: such a delete fails. */
  readonly remains?: (args: Args) => Desired;
  /** Throws ArgumentError with every failure that it finds. No I/O, no clock, no chance. */
  readonly render: (args: Args, facts: Facts) => Desired;
  /** Names of `Outputs.outputs`. */
  readonly outputs: readonly string[];
  /** Outputs that follow from the world, and are no reason to write anything. */
  readonly survey?: Survey<Args, Facts> | undefined;
  /** Default: an update is complete when the objects are written. */
  readonly effect?: Effect<Args, Desired>;
  /** The argument that a resource may have by reference. Whoever has one has to be found without it: see `Previous.desired`. */
  readonly fromMembers?: FromMembers;
}

/** A kind of resource that consists of rows. */
export interface RowKind<Args extends ZoneArgs, Facts = void> extends Kind<Args, Rendered, Facts> {
  readonly backend: "rows";
  /** The zone's database that the rows go to. */
  readonly database: DatabaseName;
  /** What of the arguments a database of this schema has no place for. Pure. Default: nothing. */
  readonly misfits?: (args: Args, schema: DatabaseSchema, adopts: boolean) => readonly Misfit[];
  /** Where its rows are, for updates and deletes that do not know what was written before. Required with `fromMembers`. */
  readonly extent?: Extent;
}

/** A kind of resource that consists of Kubernetes objects. */
export interface ObjectKind<Args extends ClusterArgs, Facts = void> extends Kind<Args, ObjectRendered, Facts> {
  readonly backend: "objects";
}
