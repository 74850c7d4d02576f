import type { Properties } from "./handler";

interface Resource {
  readonly urn: string;
  /** The zone, host or cluster that it is in. */
  readonly target: unknown;
}

/** What has replaced a resource. */
export interface Successor {
  /** Its checked inputs, where the target has what they say. */
  readonly made: Properties | undefined;
}

interface Known extends Successor {
  /** Each is in the properties that the stack has, or had before an update. */
  readonly revisions: readonly unknown[];
}

/**
 * The resources that a stack has, as far as one process has met them.
 *
 * Pulumi may replace a resource without moving it: `--target-replace`, `pulumi state taint`, the option `replaceOnChanges`, or a move back
 * to where an interrupted update has left the old one. The new one has the same identity, and so the same objects; the old one is deleted
 * after it, also by a later update. Revisions tell the two apart.
 */
export class Living {
  readonly #checked = new Set<string>();
  readonly #known = new Map<string, Known>();

  /** The program has the resource. What Pulumi compares before that, in a refresh, may be what was replaced and is still to be deleted. */
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
  }

  made(resource: Resource, revision: unknown, made: Properties): void {
    this.#known.set(keyOf(resource), { made, revisions: [revision] });
  }

  /** Of a resource that is to be deleted; undefined where nothing has replaced it there, and of one without a revision, which tells nothing. */
  successorOf(resource: Resource, revision: unknown): Successor | undefined {
    const known = revision === undefined ? undefined : this.#known.get(keyOf(resource));
    return known?.revisions.includes(revision) ? undefined : known;
  }
}

function keyOf({ urn, target }: Resource): string {
  return JSON.stringify([urn, target]);
}
