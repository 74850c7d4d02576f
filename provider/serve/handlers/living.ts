import type { Properties } from "./handler";

interface Resource {
  readonly urn: string;
  /** The zone, host or cluster that it is in. */
  readonly target: unknown;
}

/** The replacement of a resource. */
export interface Successor {
  /** Its checked inputs, where the target has what they say. */
  readonly made: Properties | undefined;
}

interface Known extends Successor {
  /** Each is in the properties that the stack has, or had before an update. */
  readonly revisions: readonly unknown[];
}

/**
 * The resources of a stack that one process has seen.
 *
 * Pulumi may replace a resource without moving it: `--target-replace`, `pulumi state taint`, the option
 * `replaceOnChanges`, or a move back to the target where an interrupted update has left the old one. The new resource
 * has the same identity, and so the same objects. The old one is deleted after it, possibly by a later update. Revisions
 * distinguish the two.
 */
export class ExistingResources {
  readonly #checked = new Set<string>();
  readonly #known = new Map<string, Known>();
  readonly #targets = new Map<string, unknown>();

  /**
   * Records that the program has the resource. Before that, in a refresh, Pulumi may compare a resource that was
   * replaced and is still to be deleted.
   */
  checked(urn: string): void {
    this.#checked.add(urn);
  }

  /**
   * The stack has the resource, with these revisions of its properties.
   * @param made its inputs, where the target has what they say
   */
  met(resource: Resource, made: Properties | undefined, ...revisions: readonly unknown[]): void {
    if (!this.#checked.has(resource.urn)) return;
    this.#known.set(keyOf(resource), { made, revisions });
    this.#targets.set(resource.urn, resource.target);
  }

  made(resource: Resource, revision: unknown, made: Properties): void {
    this.#known.set(keyOf(resource), { made, revisions: [revision] });
  }

  /** Target at which the stack has the resource, if it is another one. */
  formerTarget({ urn, target }: Resource): string | undefined {
    const former = this.#targets.get(urn);
    return former === target || former === undefined ? undefined : String(former);
  }

  /** Successor of a resource that is to be deleted. Undefined if the resource is not replaced, or has no revision. */
  successorOf(resource: Resource, revision: unknown): Successor | undefined {
    const known = revision === undefined ? undefined : this.#known.get(keyOf(resource));
    return known?.revisions.includes(revision) ? undefined : known;
  }
}

function keyOf({ urn, target }: Resource): string {
  return JSON.stringify([urn, target]);
}
