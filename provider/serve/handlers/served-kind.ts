import { ArgumentError } from "../../kit/arguments/errors";
import { canonical } from "../../kit/arguments/unknown";
import type { Backend, Subject } from "../../backends/contract/backend";
import type { Kind, Outputs } from "../../backends/contract/kind";
import { completed, type MemberLists, MembersError } from "../../kit/members";
import type { CheckRequest, Properties, Request } from "./handler";
import { OBSERVED, Observer, type Seen } from "./observed";
import { inResource } from "./report";

/**
 * Properties beside a kind's own arguments, its back end's, and what it observes:
 * - `rows`: one line for each object, for people; only in the inputs
 * - `digest`: equal for desired states that mean the same; what `diff` compares
 * - `revision`: another value each time that something was written, also the same again; only in the outputs
 * - `drift`: what a refresh found to differ; only in the outputs, and only then
 */
const OWN = ["rows", "digest", "revision", "drift"];

/** What arguments are completed from. */
interface Known {
  readonly urn: string;
  readonly members?: Pick<MemberLists, "find"> | undefined;
}

/** What a check has made of the arguments. */
export interface Today<Desired, Facts> {
  /** Complete. */
  readonly given: Properties;
  readonly seen: Seen<Facts>;
  readonly desired: Desired;
}

/** What is desired, and what it was made of. */
export interface Rendering<Args, Desired, Facts> {
  readonly args: Args;
  readonly seen: Seen<Facts>;
  readonly desired: Desired;
}

/** A kind with the back end that serves it: what properties of its resources mean, whoever asks. */
export class ServedKind<Args, Desired extends Outputs, Facts> {
  readonly observer: Observer<Args, Desired, Facts>;
  readonly #notGiven: ReadonlySet<string>;

  constructor(
    readonly kind: Kind<Args, Desired, Facts>,
    readonly backend: Backend<Desired>,
  ) {
    this.#notGiven = new Set([...OWN, ...OBSERVED, ...backend.arguments, ...backend.located, ...(backend.tells ?? []), ...kind.outputs]);
    this.observer = new Observer(kind);
  }

  /** The kind's own arguments among the properties. */
  own(properties: Properties): Properties {
    return Object.fromEntries(Object.entries(properties).filter(([name]) => !this.#notGiven.has(name)));
  }

  /** Reports whether a refresh would observe by other arguments: the state must have the newest ones. */
  observesOtherwise(olds: Properties, news: Properties): boolean {
    if (!this.kind.observe) return false;
    const [before, after] = [olds, news].map((properties) => this.kind.schema.safeParse(this.own(properties)));
    return before!.success && after!.success && canonical(before!.data) !== canonical(after!.data);
  }

  /** Complete; undefined when a part of them is in a list that nobody has told. */
  given({ members }: Pick<Known, "members">, properties: Properties): Properties | undefined {
    return completed(this.kind.fromMembers, this.own(properties), members);
  }

  /** Throws MembersError where a list is missing. */
  required(request: Known, properties: Properties): Args {
    const args = this.#args(request, properties);
    if (args === undefined) throw new MembersError(request.urn, properties.members);
    return args;
  }

  /** What properties of the state, or checked inputs, say; undefined where they do not say enough. */
  desired(request: Known, properties: Properties): Desired | undefined {
    const [args, seen] = [this.#args(request, properties), this.observer.kept(properties)];
    return args !== undefined && seen ? this.kind.render(args, seen.facts) : undefined;
  }

  /** What an update is to write. */
  async confirmed(request: Request, news: Properties): Promise<Rendering<Args, Desired, Facts>> {
    const args = this.required(request, news);
    const seen = await this.observer.confirmed(args, request, news);
    return { args, seen, desired: this.kind.render(args, seen.facts) };
  }

  /**
   * What the last update was to write; undefined for a new resource, and for arguments that an older release took.
   *
   * @param today the same arguments, of the same world, come to the same
   */
  before({ olds, members }: Pick<CheckRequest, "olds" | "members">, today?: Today<Desired, Facts>): Desired | undefined {
    const given = olds.digest === undefined ? undefined : this.given({ members }, olds);
    const seen = this.observer.kept(olds);
    if (!given || !seen) return undefined;
    if (today && sameText(given, today.given) && sameText(seen.facts, today.seen.facts)) return today.desired;
    const before = this.kind.schema.safeParse(given);
    if (!before.success) return undefined;
    try {
      return this.kind.render(before.data, seen.facts);
    } catch (error) {
      if (error instanceof ArgumentError) return undefined;
      throw error;
    }
  }

  /** An operation, whose errors name the resource and its target. */
  in<T>({ urn, targets }: Request, properties: Properties, operation: () => Promise<T>): Promise<T> {
    return inResource({ urn, place: this.backend.describe(properties, targets) }, operation);
  }

  #args(request: Known, properties: Properties): Args | undefined {
    const given = this.given(request, properties);
    return given && this.kind.schema.parse(given);
  }
}

export function subjectOf({ urn, targets, signal }: Request, properties: Properties): Subject {
  return { urn, properties, targets, signal };
}

/** What the outputs keep. The lines are for the inputs, where previews and pull requests show them; outputs without them halve the state. */
export function outputs(properties: Properties): Properties {
  const { rows: _lines, drift: _drift, adoption: _adoption, observedEarlier: _earlier, ...outs } = properties;
  return outs;
}

/** Whether two values are the same JSON, members in the same order. */
function sameText(left: unknown, right: unknown): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}
