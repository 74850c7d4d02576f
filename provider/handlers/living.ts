import type { Properties } from "./handler";

/** A resource where it is. */
export interface Place {
  readonly urn: string;
  /** Its zone, host or cluster. */
  readonly target: unknown;
}

/** What has taken the place of a resource. */
export interface Successor {
  /** Checked inputs, where this process has made it. */
  readonly made?: Properties;
}

interface Known extends Successor {
  /** Each is in the properties that the stack has, or had before an update. */
  readonly revisions: ReadonlySet<unknown>;
}

/**
 * The resources that a stack has, as far as one process has met them.
 *
 * Pulumi may replace a resource without moving it: `--target-replace`, `pulumi state taint`, the option `replaceOnChanges`, or a move back
 * to where an interrupted update has left the old one. The new one has the same identity, and so the same objects; the old one is deleted
 * after it, also by a later update. Revisions tell the two apart.
 */
export class Living {
  readonly #known = new Map<string, Known>();

  /** The stack has the resource, with these revisions of its properties. */
  met(place: Place, ...revisions: readonly unknown[]): void {
    const known = this.#known.get(keyOf(place));
    this.#known.set(keyOf(place), { ...known, revisions: new Set([...(known?.revisions ?? []), ...revisions]) });
  }

  made(place: Place, revision: unknown, made: Properties): void {
    this.#known.set(keyOf(place), { revisions: new Set([revision]), made });
  }

  /** Of a resource that is to be deleted; undefined where nothing has taken its place. */
  successorOf(place: Place, revision: unknown): Successor | undefined {
    const known = this.#known.get(keyOf(place));
    return known?.revisions.has(revision) ? undefined : known;
  }
}

function keyOf({ urn, target }: Place): string {
  return JSON.stringify([urn, target]);
}
