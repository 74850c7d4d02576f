import { checkedIntent, type Failure, type Intent, type Intents, type IntentSubject, notObject } from "@pulumi-ovn/provider";
import { laterFailures } from "../plain";
import { orRefuse, refusal, refuseUnsendable } from "../program-error";

/** Intents of one network. They are inputs of the network's component, so they are in the state and in previews, and cost no resource. */
export class IntentBook {
  readonly #intents = new Map<string, Intent>();
  /** Text of each question, to find contradictions. */
  readonly #questions = new Map<string, string>();
  #closed = false;
  readonly #complete: Promise<void>;

  /** @param what name of the network, for errors */
  constructor(
    private readonly what: string,
    private readonly subject: () => IntentSubject,
  ) {
    // The component is registered when the program has reached its end or its first `await`.
    this.#complete = new Promise<void>((resolve) => setImmediate(resolve)).then(() => void (this.#closed = true));
  }

  /** Adds an intent. Throws a ProgramError with everything that is wrong with it. */
  add(args: unknown): void {
    const what = `an intent of ${this.what}`;
    const unfit = this.#closed ? [{ path: "network", code: "late", message: LATE }] : unfitness(args);
    if (unfit.length > 0) throw refusal(what, unfit);
    refuseUnsendable(what, args as object);
    const { text, intent } = orRefuse(what, () => checkedIntent(args, this.subject()));
    const { reach, sourceAddress: _source, byNode: _node, ...question } = intent;
    const other = this.#questions.get(JSON.stringify([question, !reach]));
    if (other !== undefined)
      throw refusal(what, [{ path: "reach", code: "contradiction", message: `another intent is the opposite: ${other}; remove one of the two` }]);
    this.#questions.set(JSON.stringify([question, reach]), text);
    const twins = [...this.#intents.keys()].filter((key) => key === text || key.startsWith(`${text} (`));
    if (twins.some((key) => JSON.stringify(this.#intents.get(key)) === JSON.stringify(intent))) return;
    this.#intents.set(twins.length === 0 ? text : `${text} (${twins.length + 1})`, intent);
  }

  /** All intents, by text. Undefined without intents: then the state is as if there was no book. */
  async intents(): Promise<Intents | undefined> {
    await this.#complete;
    return this.#intents.size === 0 ? undefined : Object.fromEntries([...this.#intents].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  /** A further value for readers of intents. Undefined without intents. */
  async forReaders<T>(value: (intents: Intents) => T): Promise<T | undefined> {
    const intents = await this.intents();
    return intents && value(intents);
  }
}

const books = new WeakMap<object, IntentBook>();

/** Lets a network have intents. */
export function keepsIntents(network: object, book: IntentBook): void {
  books.set(network, book);
}

/** Undefined for what can't have intents. */
export const bookOf = (network: object): IntentBook | undefined => books.get(network);

const LATE = "is registered already: call expect before the program's first await after the network";

function unfitness(args: unknown): Failure[] {
  const later = laterFailures(args);
  if (later.length > 0)
    return later.map(({ path, code }) => ({ path: path || "intent", code, message: "can't be an output: intents are checked before anything is made" }));
  const message = notObject(args);
  return message === undefined ? [] : [{ path: "intent", code: args === undefined ? "required" : "invalid_type", message }];
}
