import type { Failure } from "../arguments/errors";
import type { Connections } from "../zones/connections";

/** A resource's properties as they cross the protocol: plain JSON. */
export type Properties = Record<string, unknown>;

export interface Checked {
  readonly inputs: Properties;
  readonly failures: readonly Failure[];
}

export interface Differences {
  readonly changes: boolean;
  /** Arguments that force a replacement. */
  readonly replaces: readonly string[];
  readonly deleteBeforeReplace: boolean;
}

/**
 * What a kind of resource does, without a word of the protocol that asks for it. `check` and `diff` are pure but for
 * the zones' names (and the first check of a resource that adopts rows); the others talk to databases, each call with
 * a deadline.
 */
export interface Handler {
  check(olds: Properties, news: Properties, connections: Connections): Checked | Promise<Checked>;
  diff(olds: Properties, news: Properties): Differences;
  create(inputs: Properties, connections: Connections): Promise<{ id: string; outs: Properties }>;
  /** undefined when there is no trace of the resource. */
  read(props: Properties, connections: Connections): Promise<{ props: Properties; inputs: Properties } | undefined>;
  update(olds: Properties, news: Properties, connections: Connections): Promise<{ outs: Properties }>;
  delete(props: Properties, connections: Connections): Promise<void>;
}
