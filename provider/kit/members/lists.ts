import { EventEmitter, once, setMaxListeners } from "node:events";
import { digestIn, type Entries, listIn } from "./reference";

/** Milliseconds that a read waits for a list. A refresh starts all reads together, so the list is read soon. */
const PATIENCE = 10_000;

/**
 * The lists that this process has met, before and after the update, by digest. The resource that holds them gives them in
 * its check, which precedes those of the resources that refer to them, and in its read.
 */
export class MemberLists {
  readonly #lists = new Map<string, Entries>();
  /** Current entries of a list, by the list's reference without digest. */
  readonly #current = new Map<string, Entries>();
  readonly #arrivals = new EventEmitter();
  readonly #deadlines = new Map<string, AbortSignal>();

  constructor(private readonly patience = PATIENCE) {
    this.#arrivals.setMaxListeners(0);
  }

  /** @param current whether these are the current entries, not previous ones; previous ones are added first */
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
   * Entries of a list, or its current entries if only those are known: a resource that missed several changes, because its zone was away, refers
   * to an old list. Undefined after the timeout. All waiters of a list have the same deadline.
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
