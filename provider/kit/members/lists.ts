import { EventEmitter, once, setMaxListeners } from "node:events";
import { digestIn, type Entries, listIn } from "./reference";

/** Milliseconds that a read waits for a list. A refresh begins with all reads at once, so the one that gives the list is near. */
const PATIENCE = 10_000;

/**
 * The lists that this process has met, before and after the update, by digest. The resource that holds them gives them in
 * its check, which comes before those of the resources that refer to them, and in its read.
 */
export class MemberLists {
  readonly #lists = new Map<string, Entries>();
  /** What a list holds today, by the name that references give it. */
  readonly #current = new Map<string, Entries>();
  readonly #arrivals = new EventEmitter();
  readonly #deadlines = new Map<string, AbortSignal>();

  constructor(private readonly patience = PATIENCE) {
    this.#arrivals.setMaxListeners(0);
  }

  /** @param current this is what the list holds, and not what it did before; those of before are told first */
  remember(reference: unknown, entries: unknown, current = false): void {
    const [digest, list] = [digestIn(reference), listIn(reference)];
    if (digest === undefined || list === undefined || typeof entries !== "object" || entries === null) return;
    this.#lists.set(digest, entries as Entries);
    if (!current) return;
    this.#current.set(list, entries as Entries);
    this.#arrivals.emit(list);
  }

  find(reference: unknown): Entries | undefined {
    return this.#lists.get(digestIn(reference) ?? "");
  }

  /**
   * The list, or what it holds today where that is all that is known: a resource that has missed more than one change, because
   * its zone was away, refers to a list that nobody has any more. undefined when it has not come in time. All who wait for
   * one list wait until the same moment.
   */
  async arrival(reference: unknown): Promise<Entries | undefined> {
    const list = listIn(reference);
    if (list === undefined || this.find(reference)) return this.find(reference);
    if (!this.#current.has(list)) {
      const deadline = this.#deadlines.get(list) ?? AbortSignal.timeout(this.patience);
      setMaxListeners(0, deadline);
      this.#deadlines.set(list, deadline);
      await once(this.#arrivals, list, { signal: deadline }).catch(() => undefined);
    }
    return this.find(reference) ?? this.#current.get(list);
  }
}
