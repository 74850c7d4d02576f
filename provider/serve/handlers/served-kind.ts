import { ArgumentError } from "../../kit/arguments/errors";
import { canonical } from "../../kit/arguments/unknown";
import type { Backend, Subject } from "../../backends/contract/backend";
import type { Kind, Outputs } from "../../backends/contract/kind";
import { completed } from "../../kit/members/complete";
import type { MemberLists } from "../../kit/members/lists";
import { MembersError } from "../../kit/members/reference";
import type { CheckRequest, Properties, Request } from "./handler";
import { OBSERVED, Observer, type Seen } from "./observed";
import type { Resource } from "./report";

/**
 * Properties in addition to those of the kind, of its back end, and of its observations:
 * - `rows`: one line for each object, for people; only in the inputs
 * - `digest`: equal for desired states that mean the same; `diff` compares it
 * - `revision`: a new value for each write, even of equal content; only in the outputs
 * - `drift`: differences that a refresh found; only in the outputs, and only if there are differences
 */
const OWN = ["rows", "digest", "revision", "drift"];

/** Values that complete the arguments. */
interface Known {
  readonly urn: string;
  readonly members?: Pick<MemberLists, "find"> | undefined;
}

/** Result of a check of the arguments. */
export interface Today<Desired, Facts> {
  /** Complete. */
  readonly given: Properties;
  readonly seen: Seen<Facts>;
  readonly desired: Desired;
}

/** Desired state, and the values that it was rendered from. */
export interface Rendering<Args, Desired, Facts> {
  readonly args: Args;
  readonly seen: Seen<Facts>;
  readonly desired: Desired;
}

/** A kind with the back end that serves it: the meaning of its resources' properties, for all callers. */
export class ServedKind<Args, Desired extends Outputs, Facts> {
  readonly observer: Observer<Args, Desired, Facts>;
  readonly #notGiven: ReadonlySet<string>;

  constructor(
    readonly kind: Kind<Args, Desired, Facts>,
    readonly backend: Backend<Desired>,
  ) {
    this.#notGiven = new Set([...OWN, ...OBSERVED, ...backend.arguments, ...backend.located, ...(backend.outputProperties ?? []), ...kind.outputs]);
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

  /** Complete properties. Undefined if a part of them is in a list that was not received. */
  given({ members }: Pick<Known, "members">, properties: Properties): Properties | undefined {
    return completed(this.kind.fromMembers, this.own(properties), members);
  }

  /** Throws MembersError where a list is missing. */
  required(request: Known, properties: Properties): Args {
    const args = this.#args(request, properties);
    if (args === undefined) throw new MembersError(request.urn, properties.members);
    return args;
  }

  /** Returns the desired state that an update writes. */
  async confirmed(request: Request, news: Properties): Promise<Rendering<Args, Desired, Facts>> {
    const args = this.required(request, news);
    const seen = await this.observer.confirmed(args, request, news);
    return { args, seen, desired: this.kind.render(args, seen.facts) };
  }

  /**
   * Returns the desired state of the last update. Undefined for a new resource, and for arguments that only an older
   * release accepts.
   *
   * @param today result of the current arguments: reused if arguments and facts are equal
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

  /** The resource as its errors name it. */
  named({ urn, targets }: Request, properties: Properties): Resource {
    return { urn, target: this.backend.describe(properties, targets) };
  }

  #args(request: Known, properties: Properties): Args | undefined {
    const given = this.given(request, properties);
    return given && this.kind.schema.parse(given);
  }
}

export function subjectOf({ urn, targets, signal }: Request, properties: Properties): Subject {
  return { urn, properties, targets, signal };
}

/** Properties that outputs keep. The lines are only in the inputs, where previews and pull requests show them; this halves the size of the state. */
export function outputs(properties: Properties): Properties {
  const { rows: _lines, drift: _drift, adoption: _adoption, observedEarlier: _earlier, ...outs } = properties;
  return outs;
}

/** Whether two values are the same JSON, fields in the same order. */
function sameText(left: unknown, right: unknown): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}
