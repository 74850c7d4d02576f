import { randomBytes } from "node:crypto";
import { asErrors, asWarnings, isError } from "../arguments/diagnostics";
import { ArgumentError, type Failure } from "../arguments/errors";
import { hasUnknown, sameJson, UNKNOWN } from "../arguments/unknown";
import { checked } from "../arguments/validate";
import type { Backend, Ensured, Lines, Lists, Live, Subject } from "../backend";
import type { Kind, Outputs } from "../kind";
import { listed } from "../listed";
import { completed, type MemberLists, MembersError } from "../members";
import type { CheckRequest, CheckResponse, CreateRequest, DiffRequest, DiffResponse, ExistingRequest, Handler, Properties, ReadResponse, Request, UpdateRequest, WriteResponse } from "./handler";
import { OBSERVED, Observer, type Seen } from "./observed";
import { ALL_HIDDEN, cleaned, hideLive, type Told } from "./hidden-lines";
import { inResource } from "./report";
import { secretPattern } from "./secrets";
import { varied } from "./varied";

/**
 * Properties beside a kind's own arguments, its back end's, and what it observes:
 * - `rows`: one line for each object, for people; only in the inputs
 * - `digest`: equal for desired states that mean the same; what `diff` compares
 * - `revision`: another value each time that something was written, also the same again; only in the outputs
 * - `drift`: what a refresh found to differ; only in the outputs, and only then
 */
const OWN = ["rows", "digest", "revision", "drift"];

/** Arguments that classes of the sdk have as outputs, beside the target. */
const DOCUMENTED: ReadonlySet<string> = new Set(["address", "name"]);

/** As many drifted objects are named; the digest tells of all. */
const MOST_DRIFTED = 20;

/** As many names of what is gone are told; with a bridge go all of its ports. */
const MOST_GONE = 5;

/** Before the digest of checked inputs whose resource has lost something: no state has such a digest. */
const GONE = "gone-";

/** In place of the digest of a resource that nothing can be rendered for. */
export const REFUSED = "refused";

/** In place of the reason for that, where the resource has secrets. */
const UNTOLD_REASON = "nothing can be rendered from what is there now; the next preview says why";

/** What arguments are completed from. */
interface Known {
  readonly urn: string;
  readonly members?: Pick<MemberLists, "find"> | undefined;
}

/** What a check has made of the arguments. */
interface Today<Desired, Facts> {
  /** Complete. */
  readonly given: Properties;
  readonly seen: Seen<Facts>;
  readonly desired: Desired;
}

/** Serves any kind of any back end. */
export class ResourceHandler<Args, Desired extends Outputs, Facts = void> implements Handler {
  readonly #notGiven: ReadonlySet<string>;
  readonly #observer: Observer<Args, Desired, Facts>;

  constructor(
    private readonly kind: Kind<Args, Desired, Facts>,
    private readonly backend: Backend<Desired>,
  ) {
    this.#notGiven = new Set([...OWN, ...OBSERVED, ...backend.arguments, ...backend.located, ...(backend.tells ?? []), ...kind.outputs]);
    this.#observer = new Observer(kind);
  }

  async check(request: CheckRequest): Promise<CheckResponse> {
    const { olds, news, targets, urn } = request;
    const own = this.own(news);
    const inputs: Properties = { ...own, ...pick(news, this.backend.arguments) };
    const given = this.#given(request, news);
    if (!given) {
      // Nothing but the list could tell of a change, and that is the same.
      if (sameJson(own, this.own(olds))) return { inputs: olds, diagnostics: [] };
      const { code, message } = new MembersError(urn, own.members);
      return { inputs, diagnostics: asErrors([{ path: "members", code, message }]) };
    }
    const { failures, value: args } = checked(this.kind.schema, given);
    const diagnostics = asErrors([...failures, ...this.backend.failures(news, targets)]);
    if (diagnostics.some(isError)) return { inputs, diagnostics };
    const unknown = { rows: UNKNOWN, digest: UNKNOWN, ...this.backend.unknown };
    if (args === undefined || hasUnknown(given)) return { inputs: { ...inputs, ...unknown, ...this.#observer.unknown }, diagnostics };
    let cause = this.backend.target;
    try {
      const { seen, properties, diagnostics: seeing } = await this.#observer.check(args, request, this.backend.describe(news, targets), olds);
      diagnostics.push(...seeing);
      Object.assign(inputs, properties);
      if (!seen) return { inputs: { ...inputs, ...unknown }, diagnostics };
      this.kind.judge?.(args);
      const { properties: said, warnings, looks } = this.#judged(request, { given, seen, desired: this.kind.render(args, seen.facts) }, inputs);
      cause = "adopt";
      const [located, gone] = await looks;
      const digest = gone.length > 0 ? { digest: GONE + String(said.digest) } : {};
      return { inputs: { ...inputs, ...said, ...digest, ...located }, diagnostics: [...diagnostics, ...asWarnings([...warnings, ...gone])] };
    } catch (error) {
      if (error instanceof ArgumentError) return { inputs, diagnostics: [...diagnostics, ...asErrors(error.failures)] };
      const { code = "OVN_INTERNAL", message } = error as Error & { code?: string };
      return { inputs, diagnostics: [...diagnostics, ...asErrors([{ path: cause, code, message }])] };
    }
  }

  /**
   * What a check says of what is desired, and what it still waits for. The desired is not kept for a new resource: those of a
   * large stack are large, and many checks wait at the same time.
   */
  #judged(request: CheckRequest, today: Today<Desired, Facts>, inputs: Properties) {
    const { olds, secrets } = request;
    const { given, seen, desired } = today;
    const digest = this.backend.digest(desired);
    // A change would show what was secret before.
    const impact = digest === olds.digest || secrets.length > 0 ? [] : this.#impact(request, desired);
    const shown = this.#shown(request, given, seen, desired);
    const rows = this.#lines(request, given, shown, inputs) ?? ALL_HIDDEN;
    const properties: Properties = { ...desired.outputs, rows, digest };
    return { properties, warnings: [...(shown?.warnings ?? []), ...impact], looks: Promise.all([this.backend.locate(subjectOf(request, inputs), olds, desired), this.#gone(request, today)]) };
  }

  /** What is in use and changes in its place: a resource that goes to another target is made there, and in use nowhere. */
  #impact({ olds, news, members }: CheckRequest, desired: Desired): Failure[] {
    const { target } = this.backend;
    if (!this.backend.impact || !sameJson(olds[target], news[target])) return [];
    const before = this.#before({ olds, members });
    return before ? this.backend.impact(before, desired) : [];
  }

  /**
   * What the last update was to write; undefined for a new resource, and for arguments that an older release took.
   *
   * @param today the same arguments, of the same world, come to the same
   */
  #before({ olds, members }: Pick<CheckRequest, "olds" | "members">, today?: Today<Desired, Facts>): Desired | undefined {
    const given = olds.digest === undefined ? undefined : this.#given({ members }, olds);
    const seen = this.#observer.kept(olds);
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

  /** A warning where something of the resource is gone, which the update makes again although no argument has changed. */
  async #gone(request: CheckRequest, today: Today<Desired, Facts>): Promise<Failure[]> {
    const { olds, news, targets, secrets } = request;
    const { target } = this.backend;
    const before = this.backend.gone && sameJson(olds[target], news[target]) ? this.#before(request, today) : undefined;
    const names = before ? await this.backend.gone!(subjectOf(request, olds), before, today.desired) : [];
    if (names.length === 0) return [];
    // Names may derive from secrets.
    const what = secrets.length > 0 ? "parts of it are" : `${listed(names, MOST_GONE)} ${names.length === 1 ? "is" : "are"}`;
    return [{ path: target, code: "OVN_WARN_GONE", message: `${what} gone from ${this.backend.describe(news, targets)}; the update makes ${secrets.length === 0 && names.length === 1 ? "it" : "them"} again` }];
  }

  /** What people may read of the desired: nothing that other secrets would make otherwise; undefined where that can't be told. */
  #shown({ secrets }: Request, given: Properties, { facts }: Seen<Facts>, desired: Desired): Desired | undefined {
    if (secrets.length === 0) return desired;
    const other = this.kind.schema.safeParse(varied(given, secrets));
    if (!other.success) return undefined;
    try {
      const twin = this.kind.render(other.data, facts);
      const warnings = desired.warnings?.filter((warning) => twin.warnings?.some((same) => sameJson(same, warning)));
      return { ...this.backend.hide(desired, twin), warnings };
    } catch {
      // Only these secrets fit the other arguments.
      return undefined;
    }
  }

  #lines({ secrets }: Request, given: Properties, shown: Desired | undefined, properties: Properties): Lines | undefined {
    return shown && cleaned(this.backend.lines(shown, properties), secretPattern(given, secrets));
  }

  diff({ olds, news }: DiffRequest): DiffResponse {
    const { target } = this.backend;
    const replaces = !hasUnknown(news[target]) && !sameJson(olds[target], news[target]) ? [target] : [];
    // The digest tells of every object: arguments in another order, or said in other words, change nothing.
    return { changes: replaces.length > 0 || news.digest !== olds.digest, replaces, deleteBeforeReplace: false };
  }

  create(request: CreateRequest): Promise<{ id: string } & WriteResponse> {
    const { news } = request;
    return this.#in(request, news, async () => {
      const ensured = await this.backend.ensure(subjectOf(request, news), await this.#confirmed(request, news));
      const { id, outs } = this.state(request.urn, news);
      return { id, ...written(outs, ensured) };
    });
  }

  /** What the stack keeps of a resource that is as these inputs say. */
  state(urn: string, inputs: Properties): { id: string; outs: Properties } {
    return { id: this.backend.id(urn, inputs), outs: { ...outputs(inputs), revision: newRevision() } };
  }

  /** Where the world has changed so that nothing could be rendered, a check says what to do; a refresh goes on. */
  async read(request: ExistingRequest): Promise<ReadResponse | undefined> {
    try {
      return await this.#found(request);
    } catch (error) {
      const { cause } = error as Error;
      if (!this.kind.observe || !(cause instanceof ArgumentError)) throw error;
      return this.#refusedBy(cause, request);
    }
  }

  /** With a digest that nothing desired has: the next update compares as different, and says what is wrong, or writes what is right again. */
  #refusedBy({ message }: ArgumentError, { olds, secrets }: ExistingRequest): ReadResponse {
    // A reason may name what derives from a secret, such as an address.
    const refused = secrets.length > 0 ? UNTOLD_REASON : message;
    return { refused, props: { ...olds, digest: REFUSED, drift: { refused } } };
  }

  async #found(request: ExistingRequest): Promise<ReadResponse | undefined> {
    const { olds } = request;
    const { state, seen, told } = await this.#look(request);
    if (!state) return undefined;
    const { revision = state.digest, ...kept } = outputs(olds);
    const live = { ...kept, ...(this.kind.observe && { observed: seen.facts }), digest: state.digest };
    const { lines, drift: all } = told ? hideLive(state, told) : state;
    const drift = Object.entries(all).slice(0, MOST_DRIFTED);
    return {
      props: { ...live, ...state.properties, revision, ...(drift.length > 0 && { drift: Object.fromEntries(drift) }) },
      inputs: { ...without(live, this.backend.tells ?? []), rows: lines },
    };
  }

  /** A resource with these properties as its target has it; undefined when there is no trace of it. */
  async live(request: Request & { readonly olds: Properties }): Promise<Live | undefined> {
    return (await this.#look(request)).state;
  }

  /** The target against what would be desired today: a kind that observes the world drifts with it. Of a resource with secrets also what may be read of it. */
  #look(request: Request & { readonly olds: Properties }): Promise<{ state: Live | undefined; seen: Seen<Facts>; told: Told | undefined }> {
    const { olds, members } = request;
    return this.#in(request, olds, async () => {
      const list = this.kind.fromMembers && olds.members !== undefined ? await members?.arrival(olds.members) : undefined;
      const known = list ? { ...request, members: { find: () => list } } : request;
      const args = this.#required(known, olds);
      const lists: Lists = new Map();
      const seen = await this.#observer.refreshed(args, request, lists);
      const desired = this.kind.render(args, seen.facts);
      const state = await this.backend.read({ ...subjectOf(request, olds), lists }, desired);
      return { state, seen, told: request.secrets.length > 0 ? this.#told(request, this.#given(known, olds) ?? {}, seen, desired) : undefined };
    });
  }

  #told(request: Request & { readonly olds: Properties }, given: Properties, seen: Seen<Facts>, desired: Desired): Told {
    const { olds } = request;
    return { digest: this.backend.digest(desired), open: this.backend.lines(desired, olds), shown: this.#lines(request, given, this.#shown(request, given, seen, desired), olds) };
  }

  update(request: UpdateRequest): Promise<WriteResponse> {
    const { olds, news } = request;
    return this.#in(request, news, async () => {
      // What is refused by now may have been written by an older release.
      const previous = this.#before(request);
      const gone = String(news.digest).startsWith(GONE);
      // After a refresh that found drift, the target does not hold what the old arguments say.
      const unchanged = !gone && previous !== undefined && olds.digest === this.backend.digest(previous);
      const desired = await this.#confirmed(request, news);
      const ensured = await this.backend.ensure(subjectOf(request, news), desired, { desired: previous, unchanged, properties: olds });
      return written({ ...outputs(news), ...(gone && { digest: this.backend.digest(desired) }), revision: newRevision() }, ensured);
    });
  }

  delete(request: ExistingRequest): Promise<void> {
    const { olds } = request;
    return this.#in(request, olds, async () => {
      const known = this.#given(request, olds) !== undefined;
      await this.backend.remove(subjectOf(request, olds), known ? (this.#before(request) ?? (await this.#remains(request))) : undefined);
    });
  }

  async #remains(request: ExistingRequest): Promise<Desired> {
    try {
      return await this.#today(request, request.olds);
    } catch (error) {
      if (!this.kind.remains || !(error instanceof ArgumentError)) throw error;
      return this.kind.remains(this.#required(request, request.olds));
    }
  }

  #in<T>({ urn, targets }: Request, properties: Properties, operation: () => Promise<T>): Promise<T> {
    return inResource({ urn, place: this.backend.describe(properties, targets) }, operation);
  }

  repeated(outs: Properties): readonly string[] {
    return Object.keys(this.own(outs)).filter((name) => name !== this.backend.target && !DOCUMENTED.has(name));
  }

  /** The kind's own arguments among the properties. */
  own(properties: Properties): Properties {
    return Object.fromEntries(Object.entries(properties).filter(([name]) => !this.#notGiven.has(name)));
  }

  /** Complete; undefined when a part of them is in a list that nobody has told. */
  #given({ members }: Pick<Known, "members">, properties: Properties): Properties | undefined {
    return completed(this.kind.fromMembers, this.own(properties), members);
  }

  #parsed(given: Properties): Args {
    return this.kind.schema.parse(given);
  }

  #args(request: Known, properties: Properties): Args | undefined {
    const given = this.#given(request, properties);
    return given && this.#parsed(given);
  }

  #required(request: Known, properties: Properties): Args {
    const args = this.#args(request, properties);
    if (args === undefined) throw new MembersError(request.urn, properties.members);
    return args;
  }

  /** What an update is to write. */
  async #confirmed(request: Request, news: Properties): Promise<Desired> {
    const args = this.#required(request, news);
    return this.kind.render(args, (await this.#observer.confirmed(args, request, news)).facts);
  }

  async #today(request: Request, properties: Properties): Promise<Desired> {
    const args = this.#required(request, properties);
    return this.kind.render(args, (await this.#observer.now(args, request)).facts);
  }

  /** What properties of the state, or checked inputs, say; undefined where they do not say enough. */
  desired(request: Request, properties: Properties): Desired | undefined {
    const [args, seen] = [this.#args(request, properties), this.#observer.kept(properties)];
    return args !== undefined && seen ? this.kind.render(args, seen.facts) : undefined;
  }
}

/** Whether two values are the same JSON, members in the same order. */
function sameText(left: unknown, right: unknown): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}

function written(outs: Properties, ensured: Ensured | void): WriteResponse {
  return ensured ? { outs: { ...outs, ...ensured.properties }, diagnostics: asWarnings(ensured.warnings) } : { outs };
}

function subjectOf({ urn, targets, signal }: Request, properties: Properties): Subject {
  return { urn, properties, targets, signal };
}

function pick(properties: Properties, names: readonly string[]): Properties {
  return Object.fromEntries(names.flatMap((name) => (properties[name] === undefined ? [] : [[name, properties[name]]])));
}

function without(properties: Properties, names: readonly string[]): Properties {
  return Object.fromEntries(Object.entries(properties).filter(([name]) => !names.includes(name)));
}

function newRevision(): string {
  return randomBytes(6).toString("hex");
}

/** The lines are for the inputs, where previews and pull requests show them; outputs without them halve the state. */
function outputs(properties: Properties): Properties {
  const { rows: _lines, drift: _drift, adoption: _adoption, observedEarlier: _earlier, ...outs } = properties;
  return outs;
}
