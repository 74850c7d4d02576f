import { EventEmitter, once, setMaxListeners } from "node:events";
import { digestIn, type Entries } from "./reference";

/** Milliseconds that a read waits for a list. A refresh begins with all reads at once, so the one that gives the list is near. */
const PATIENCE = 10_000;

/**
 * The lists that this process has met, before and after the update, by digest. The resource that holds them gives them in
 * its check, which comes before those of the resources that refer to them, and in its read.
 */
export class MemberLists {
  readonly #lists = new Map<string, Entries>();
  readonly #arrivals = new EventEmitter();
  readonly #deadlines = new Map<string, AbortSignal>();

  constructor(private readonly patience = PATIENCE) {
    this.#arrivals.setMaxListeners(0);
  }

  remember(reference: unknown, entries: unknown): void {
    const digest = digestIn(reference);
    if (digest === undefined || typeof entries !== "object" || entries === null) return;
    this.#lists.set(digest, entries as Entries);
    this.#arrivals.emit(digest);
  }

  find(reference: unknown): Entries | undefined {
    return this.#lists.get(digestIn(reference) ?? "");
  }

  /** undefined when the list has not come in time. All who wait for one list wait until the same moment. */
  async arrival(reference: unknown): Promise<Entries | undefined> {
    const digest = digestIn(reference);
    if (digest === undefined || this.#lists.has(digest)) return this.find(reference);
    const deadline = this.#deadlines.get(digest) ?? AbortSignal.timeout(this.patience);
    setMaxListeners(0, deadline);
    this.#deadlines.set(digest, deadline);
    await once(this.#arrivals, digest, { signal: deadline }).catch(() => undefined);
    return this.find(reference);
  }
}
