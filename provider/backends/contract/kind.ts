import type { ZodType } from "zod";
import type { Failure } from "../../kit/arguments/errors";
import type { Lists } from "./backend";
import type { FromMembers } from "../../kit/members/complete";
import type { Connections } from "../../targets/connections";

/** Common results of rendering, in addition to the desired state. */
export interface Outputs {
  /** Further outputs: plain JSON, known in previews, small. */
  readonly outputs?: Readonly<Record<string, unknown>>;
  /** Warnings of a preview; the update continues. */
  readonly warnings?: readonly Failure[];
}

/** Outputs that follow from live facts, which no preview of an unchanged resource shows: read by each create, update and refresh. */
export interface Survey<Args, Facts> {
  /** Their values until they are read. */
  readonly unseen: Readonly<Record<string, unknown>>;
  /** Changes nothing. */
  look(args: Args, facts: Facts, access: World): Promise<Readonly<Record<string, unknown>>>;
}

/** Targets that a kind may observe before it renders. */
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
  before(args: Args, former: Args | undefined, access: OwnedWorld): Promise<unknown>;
  /** Waits until the effect has occurred. Rejects after a timeout that the arguments set. */
  wait(args: Args, desired: Desired, access: OwnedWorld, before?: unknown): Promise<void>;
  /** Reason why the target refuses the resource. Undefined if the resource is in force. */
  refusal(args: Args, access: OwnedWorld): Promise<string | undefined>;
  /** Reason in an error of `wait`. Undefined if the target has not refused the resource. */
  refusalIn(error: unknown): string | undefined;
  /** Outputs with the reason. */
  outputs(refusal: string | undefined): Readonly<Record<string, unknown>>;
}

/** Target of a resource, with the resource's URN. */
export interface OwnedWorld extends World {
  readonly urn: string;
}

/**
 * A kind of resource: an argument schema and a pure function from arguments, and observed facts if needed, to the desired state. Its back end
 * does the rest.
 *
 * Everything except the target can change in place. Objects that hold others (a router, a switch) have their role as key, not their name, so a
 * rename keeps their contents.
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
   * Reads facts for `render`, at each check and refresh. Plain JSON, in a fixed order, small, without secrets: previews show them as `observed`,
   * and the state keeps them for previews that can't reach the target. Sets are maps by name, so that diffs show changes. Changes nothing.
   */
  readonly observe?: (args: Args, access: World) => Promise<Facts>;
  /**
   * Throws ArgumentError with what of new arguments is refused although `render` can make something of it: states that an older
   * release wrote may hold it, and are still to be read, changed and removed. Default: nothing.
   */
  readonly judge?: (args: Args) => void;
  /** Failures that depend on the target; returns warnings. An unreachable target causes none. */
  readonly fitting?: (args: Args, access: World) => Promise<readonly Failure[]>;
  /** Desired state for a delete whose arguments `render` refuses. Default: such a delete fails. */
  readonly remains?: (args: Args) => Desired;
  /** Throws ArgumentError with every failure that it finds. No I/O, no clock, no chance. */
  readonly render: (args: Args, facts: Facts) => Desired;
  /** Names of `Outputs.outputs`. */
  readonly outputs: readonly string[];
  /** Outputs that follow from live facts and never cause a write. */
  readonly survey?: Survey<Args, Facts> | undefined;
  /** Default: an update is complete when the objects are written. */
  readonly effect?: Effect<Args, Desired>;
  /** Argument that may be a reference. The resource must be found without it: see `Previous.desired`. */
  readonly fromMembers?: FromMembers;
}
