import { randomBytes } from "node:crypto";
import { asErrors, asWarnings, isError } from "../arguments/diagnostics";
import { ArgumentError, type Failure } from "../arguments/errors";
import { hasUnknown, sameJson, UNKNOWN } from "../arguments/unknown";
import { validate } from "../arguments/validate";
import type { Backend, Live, Subject } from "../backend";
import type { Kind, Outputs } from "../kind";
import type { CheckRequest, CheckResponse, CreateRequest, DiffRequest, DiffResponse, ExistingRequest, Handler, Properties, ReadResponse, Request, UpdateRequest } from "./handler";
import { inResource } from "./report";

/**
 * Properties beside a kind's own arguments and its back end's:
 * - `rows`: one line for each object, for people; only in the inputs
 * - `digest`: equal for desired states that mean the same; what `diff` compares
 * - `revision`: another value each time that something was written, also the same again; only in the outputs
 * - `drift`: what a refresh found to differ; only in the outputs, and only then
 */
const OWN = ["rows", "digest", "revision", "drift"];

/** As many drifted objects are named; the digest tells of all. */
const MOST_DRIFTED = 20;

/** Stands for the lines of objects that would show a secret. */
const HIDDEN = { hidden: "the arguments hold a secret" };

/** Serves any kind of any back end. */
export class ResourceHandler<Args, Desired extends Outputs> implements Handler {
  readonly #notGiven: ReadonlySet<string>;

  constructor(
    private readonly kind: Kind<Args, Desired>,
    private readonly backend: Backend<Desired>,
  ) {
    this.#notGiven = new Set([...OWN, ...backend.arguments, ...backend.located, ...kind.outputs]);
  }

  async check(request: CheckRequest): Promise<CheckResponse> {
    const { olds, news, secrets, targets } = request;
    const given = this.#given(news);
    const diagnostics = asErrors([...validate(this.kind.schema, given), ...this.backend.failures(news, targets)]);
    const inputs: Properties = { ...given, ...pick(news, this.backend.arguments) };
    if (diagnostics.some(isError)) return { inputs, diagnostics };
    if (hasUnknown(given)) return { inputs: { ...inputs, rows: UNKNOWN, digest: UNKNOWN, ...this.backend.unknown }, diagnostics };
    try {
      const desired = this.#render(given);
      const located = await this.backend.locate(subjectOf(request, inputs), olds, desired);
      const lines = secrets.length > 0 ? HIDDEN : this.backend.lines(desired);
      // A warning would show values that derive from secrets.
      const warnings = secrets.length > 0 ? [] : asWarnings(this.#impact(olds, news, desired));
      return { inputs: { ...inputs, ...desired.outputs, rows: lines, digest: this.backend.digest(desired), ...located }, diagnostics: [...diagnostics, ...warnings] };
    } catch (error) {
      if (error instanceof ArgumentError) return { inputs, diagnostics: [...diagnostics, ...asErrors(error.failures)] };
      const { code = "OVN_INTERNAL", message } = error as Error & { code?: string };
      return { inputs, diagnostics: [...diagnostics, ...asErrors([{ path: "adopt", code, message }])] };
    }
  }

  /** What is in use and changes in its place: a resource that goes to another target is made there, and in use nowhere. */
  #impact(olds: Properties, news: Properties, desired: Desired): Failure[] {
    const { target } = this.backend;
    if (olds.digest === undefined || !sameJson(olds[target], news[target])) return [];
    const before = this.kind.schema.safeParse(this.#given(olds));
    if (!before.success) return [];
    try {
      return this.backend.impact(this.kind.render(before.data), desired);
    } catch (error) {
      // Arguments that an older release took.
      if (error instanceof ArgumentError) return [];
      throw error;
    }
  }

  diff({ olds, news }: DiffRequest): DiffResponse {
    const { target } = this.backend;
    const replaces = !hasUnknown(news[target]) && !sameJson(olds[target], news[target]) ? [target] : [];
    // The digest tells of every object: arguments in another order, or said in other words, change nothing.
    return { changes: replaces.length > 0 || news.digest !== olds.digest, replaces, deleteBeforeReplace: false };
  }

  create(request: CreateRequest): Promise<{ id: string; outs: Properties }> {
    const { news } = request;
    return this.#in(request, news, async () => {
      await this.backend.ensure(subjectOf(request, news), this.#render(this.#given(news)));
      return this.state(request.urn, news);
    });
  }

  /** What the stack keeps of a resource that is as these inputs say. */
  state(urn: string, inputs: Properties): { id: string; outs: Properties } {
    return { id: this.backend.id(urn, inputs), outs: { ...outputs(inputs), revision: newRevision() } };
  }

  async read(request: ExistingRequest): Promise<ReadResponse | undefined> {
    const { olds, secrets } = request;
    const state = await this.live(request);
    if (!state) return undefined;
    const { revision = state.digest, ...kept } = outputs(olds);
    const live = { ...kept, digest: state.digest };
    const hidden = secrets.length > 0;
    const drift = Object.entries(state.drift).slice(0, MOST_DRIFTED);
    const drifted = !hidden && drift.length > 0;
    return {
      props: { ...live, revision, ...(drifted && { drift: Object.fromEntries(drift) }) },
      inputs: { ...live, rows: hidden ? HIDDEN : state.lines },
    };
  }

  /** A resource with these properties as its target has it; undefined when there is no trace of it. */
  live(request: Request & { readonly olds: Properties }): Promise<Live | undefined> {
    const { olds } = request;
    return this.#in(request, olds, () => this.backend.read(subjectOf(request, olds), this.#render(this.#given(olds))));
  }

  update(request: UpdateRequest): Promise<{ outs: Properties }> {
    const { olds, news } = request;
    return this.#in(request, news, async () => {
      const previous = this.#render(this.#given(olds));
      // After a refresh that found drift, the target does not hold what the old arguments say.
      const unchanged = olds.digest === this.backend.digest(previous);
      await this.backend.ensure(subjectOf(request, news), this.#render(this.#given(news)), { desired: previous, unchanged });
      return { outs: { ...outputs(news), revision: newRevision() } };
    });
  }

  delete(request: ExistingRequest): Promise<void> {
    const { olds } = request;
    return this.#in(request, olds, () => this.backend.remove(subjectOf(request, olds), this.#render(this.#given(olds))));
  }

  #in<T>({ urn, targets }: Request, properties: Properties, operation: () => Promise<T>): Promise<T> {
    return inResource({ urn, place: this.backend.describe(properties, targets) }, operation);
  }

  /** The kind's own arguments among the properties. */
  #given(properties: Properties): Properties {
    return Object.fromEntries(Object.entries(properties).filter(([name]) => !this.#notGiven.has(name)));
  }

  #render(given: Properties): Desired {
    return this.kind.render(this.kind.schema.parse(given));
  }
}

function subjectOf({ urn, targets, signal }: Request, properties: Properties): Subject {
  return { urn, properties, targets, signal };
}

function pick(properties: Properties, names: readonly string[]): Properties {
  return Object.fromEntries(names.flatMap((name) => (properties[name] === undefined ? [] : [[name, properties[name]]])));
}

function newRevision(): string {
  return randomBytes(6).toString("hex");
}

/** The lines are for the inputs, where previews and pull requests show them; outputs without them halve the state. */
function outputs(properties: Properties): Properties {
  const { rows: _lines, drift: _drift, adoption: _adoption, ...outs } = properties;
  return outs;
}
