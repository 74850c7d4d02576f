import type { Failure } from "../../kit/arguments/errors";
import type { Connections } from "../../targets/connections";

/** A resource's properties, as its handler knows them. */
export type Properties = Readonly<Record<string, unknown>>;

/** Text for people: one line per object of a resource, by a unique label. */
export type Lines = Readonly<Record<string, string>>;

/** A resource as its back end meets it. */
export interface Subject {
  readonly urn: string;
  readonly properties: Properties;
  readonly targets: Connections;
  readonly signal?: AbortSignal | undefined;
  /** Target that the resource had before its replacement. */
  readonly former?: string | undefined;
  /** Lists that the same refresh has read already. */
  readonly lists?: Lists | undefined;
}

/**
 * All objects of a kind on a target, by {@link listKey}, read by a resource's kind when it observed the target: the resource's own objects are
 * among them.
 */
export type Lists = Map<string, readonly unknown[]>;

export const listKey = (apiVersion: string, kind: string): string => `${apiVersion} ${kind}`;

/** Evidence of who last wrote a drifted row or object. */
export interface Trace {
  /** Row whose transactions a database's log may contain, and its drifted columns. None if the row is missing. */
  readonly row?: { readonly table: string; readonly uuid: string; readonly columns: readonly string[] };
  /** Owner mark of another writer in the row, or field managers of the drifted fields. */
  readonly writers?: readonly string[];
}

/** Live state of a resource. */
export interface Live {
  readonly lines: Lines;
  /** Equal to `digest` of the desired when nothing has drifted. */
  readonly digest: string;
  /** Differences, by label. */
  readonly drift: Lines;
  /** By label of `drift`. */
  readonly traces?: Readonly<Record<string, Trace>>;
  /** Values of the back end's `outputProperties`. */
  readonly properties?: Properties;
  /** Those of `located` that are not as in the state any more. */
  readonly located?: Properties;
  readonly warnings?: readonly Failure[];
}

/** Drift that a check finds. */
export interface Drift {
  /** Names of what does not exist. */
  readonly missing: readonly string[];
  /** Differences, by label. */
  readonly changed: Lines;
  /** Why a part is not compared. A part without an answer is not drift. */
  readonly unanswered?: string | undefined;
}

/** Previous state, as far as the caller knows. */
export interface Previous<Desired> {
  /** undefined: the back end finds out by the marks of ownership. */
  readonly desired: Desired | undefined;
  /** Whether the target held exactly this when it was last seen: then only what differs has to be looked at. */
  readonly unchanged: boolean;
  /** Properties in the state. */
  readonly properties: Properties;
  /** Whether this is what a replaced resource had at the same target, of which the replacement, made already, is to leave no more than its own. */
  readonly replaced?: true;
}

/** Result of a write, such as a fallback that replaces the desired state. */
export interface Ensured {
  /** Properties for the state, in addition to the inputs' own; another digest makes the next update write again. */
  readonly properties: Properties;
  readonly warnings: readonly Failure[];
}

/**
 * Writer of resources: OVSDB rows, objects of a Kubernetes API, flows on a bridge. One engine for all its kinds; kinds render the desired state
 * and do no I/O.
 *
 * A target is the destination of one write: a zone's database, a host, a cluster. A resource has one, named by the argument `target`.
 */
export interface Backend<Desired> {
  /** Name of the argument with the target; changing it replaces the resource. */
  readonly target: string;
  /** Names of arguments that all kinds of this back end have, in addition to their own. */
  readonly arguments: readonly string[];
  /** Names of the properties that `locate` computes. */
  readonly located: readonly string[];
  /** Names of properties that `ensure` and `read` return, and that only the outputs have. */
  readonly outputProperties?: readonly string[];
  /** Placeholders for those of `located` that arguments decide, when these are not known yet. */
  readonly unknown: Properties;

  /** Failures of the target's name and of common arguments. No I/O. */
  failures(properties: Properties, targets: Connections): Failure[];
  /** The target in errors: `zone "node1" (unix:/run/ovn/ovnnb_db.sock)`. */
  describe(properties: Properties, targets: Connections): string;
  /** One line for each object, or less where there are many. */
  lines(desired: Desired, properties: Properties): Lines;
  /** Desired state as `lines` may show it: without differences from `twin`, which was rendered from other secrets. Pure. */
  hide(desired: Desired, twin: Desired): Desired;
  /** Equal for desired states that mean the same. */
  digest(desired: Desired): string;
  /** Warnings about the effects of a change on a target in use. Pure. */
  impact?(before: Desired, after: Desired): Failure[];
  /** The id of a resource with these inputs. */
  id(urn: string, inputs: Properties): string;
  /** Computed properties, known in a preview; throws where existing objects can't be adopted as asked. */
  locate(subject: Subject, olds: Properties, desired: Desired): Promise<Properties>;
  /**
   * Drift of an existing resource, as far as a look finds it that is cheap enough for every check; the next update repairs it.
   * Empty where the target can't be reached. Default: only a refresh finds drift.
   */
  drift?(subject: Subject, before: Desired, desired: Desired): Promise<Drift>;
  /** Undefined without any trace of it. */
  read(subject: Subject, desired: Desired): Promise<Live | undefined>;
  /** Makes the target hold what is desired and nothing that was there before and is not. Idempotent. */
  ensure(subject: Subject, desired: Desired, previous?: Previous<Desired>): Promise<Ensured | void>;
  /** Removes it; an absent resource counts as removed. Without the desired state, owner marks identify it. */
  remove(subject: Subject, desired: Desired | undefined): Promise<void>;
}
