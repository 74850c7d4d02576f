import type { Failure } from "../../kit/arguments/errors";
import type { Connections } from "../../targets/connections";

/** A resource's properties, as its handler knows them. */
export type Properties = Readonly<Record<string, unknown>>;

/** What is written for people, one line for each object that a resource is made of, by a label that is its own. */
export type Lines = Readonly<Record<string, string>>;

/** A resource as its back end meets it. */
export interface Subject {
  readonly urn: string;
  readonly properties: Properties;
  readonly targets: Connections;
  readonly signal?: AbortSignal | undefined;
  /** Lists that the same refresh has read already. */
  readonly lists?: Lists | undefined;
}

/**
 * All objects of a kind that a target has, by {@link listKey}, as a resource's kind has read them to see the world: what there is of the
 * resource is among them, and need not be asked for again.
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

/** What a target holds of a resource. */
export interface Live {
  readonly lines: Lines;
  /** Equal to `digest` of the desired when nothing has drifted. */
  readonly digest: string;
  /** Differences, by label. */
  readonly drift: Lines;
  /** By label of `drift`. */
  readonly traces?: Readonly<Record<string, Trace>>;
  /** Of the properties that the back end `tells`. */
  readonly properties?: Properties;
  /** Those of `located` that are not as in the state any more. */
  readonly located?: Properties;
  readonly warnings?: readonly Failure[];
}

/** Drift that a check finds. */
export interface Drift {
  /** Names of what does not exist. */
  readonly gone: readonly string[];
  /** Differences, by label. */
  readonly changed: Lines;
}

/** What was there before, as far as the caller knows. */
export interface Previous<Desired> {
  /** undefined: the back end finds out by the marks of ownership. */
  readonly desired: Desired | undefined;
  /** Whether the target held exactly this when it was last seen: then only what differs has to be looked at. */
  readonly unchanged: boolean;
  /** What the state keeps of it. */
  readonly properties: Properties;
  /** Whether this is what a replaced resource had in the same place, of which the replacement, made already, is to leave no more than its own. */
  readonly replaced?: true;
}

/** What a write says: what could not be made as desired, and was made next to it, for instance. */
export interface Ensured {
  /** What the state keeps besides the inputs' own, or instead; another digest makes the next update write again. */
  readonly properties: Properties;
  readonly warnings: readonly Failure[];
}

/**
 * Where resources are written: OVSDB rows, objects of a Kubernetes API, flows on a bridge. One engine for all kinds of
 * its own; kinds render what should be there, and know nothing of how it gets there.
 *
 * A target is what one write goes to: a zone's database, a host, a cluster. A resource has one, named by the argument
 * `target`.
 */
export interface Backend<Desired> {
  /** Name of the argument that says which target; changing it replaces the resource. */
  readonly target: string;
  /** Names of arguments that all kinds of this back end have besides their own. */
  readonly arguments: readonly string[];
  /** Names of the properties that `locate` computes. */
  readonly located: readonly string[];
  /** Names of properties that `ensure` and `read` tell, and that only the outputs have. */
  readonly tells?: readonly string[];
  /** Placeholders for those of `located` that arguments decide, when these are not known yet. */
  readonly unknown: Properties;

  /** What is wrong with the target's name and with the arguments that all kinds have. No I/O. */
  failures(properties: Properties, targets: Connections): Failure[];
  /** The target in errors: `zone "node1" (unix:/run/ovn/ovnnb_db.sock)`. */
  describe(properties: Properties, targets: Connections): string;
  /** One line for each object, or less where there are many. */
  lines(desired: Desired, properties: Properties): Lines;
  /** The desired as `lines` may show it: without what `twin`, made of other secrets, says otherwise. Pure. */
  hide(desired: Desired, twin: Desired): Desired;
  /** Equal for desired states that mean the same. */
  digest(desired: Desired): string;
  /** What a target in use feels when one gives way to the other: warnings for the preview. Pure. */
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
  /** undefined when there is no trace of it. */
  read(subject: Subject, desired: Desired): Promise<Live | undefined>;
  /** Makes the target hold what is desired and nothing that was there before and is not. Idempotent. */
  ensure(subject: Subject, desired: Desired, previous?: Previous<Desired>): Promise<Ensured | void>;
  /** Removes it; what is gone counts as removed. Where the caller does not know what was desired, the marks of ownership tell. */
  remove(subject: Subject, desired: Desired | undefined): Promise<void>;
}
