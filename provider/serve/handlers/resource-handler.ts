import { randomBytes } from "node:crypto";
import { asWarnings } from "../../kit/arguments/diagnostics";
import { ArgumentError } from "../../kit/arguments/errors";
import { hasUnknown, sameJson } from "../../kit/arguments/unknown";
import { isDriftDigest } from "../../kit/digest";
import type { Backend, Ensured, Live } from "../../backends/contract/backend";
import type { Kind, Outputs } from "../../backends/contract/kind";
import { check } from "./check";
import type {
  CheckRequest,
  CheckResponse,
  CreateRequest,
  DiffRequest,
  DiffResponse,
  ExistingRequest,
  Handler,
  Properties,
  ReadResponse,
  Request,
  UpdateRequest,
  WriteResponse,
} from "./handler";
import type { Surveyed } from "./observed";
import { ExistingResources } from "./living";
import { InitializationError } from "./initialization-error";
import { look, REFUSED, refresh } from "./refresh";
import { inResource } from "./report";
import { outputs, type Rendering, ServedKind, subjectOf } from "./served-kind";

/** Arguments, in addition to the target, that classes of the sdk have as outputs. */
const DOCUMENTED: ReadonlySet<string> = new Set(["address", "name"]);

/** Serves any kind of any back end. */
export class ResourceHandler<Args, Desired extends Outputs, Facts = void> implements Handler {
  readonly #served: ServedKind<Args, Desired, Facts>;
  readonly #existing = new ExistingResources();

  constructor(kind: Kind<Args, Desired, Facts>, backend: Backend<Desired>) {
    this.#served = new ServedKind(kind, backend);
  }

  check(request: CheckRequest): Promise<CheckResponse> {
    this.#existing.checked(request.urn);
    return check(this.#served, request);
  }

  diff({ urn, olds, news }: DiffRequest): DiffResponse {
    const { target } = this.#served.backend;
    const replaces = !hasUnknown(news[target]) && !sameJson(olds[target], news[target]) ? [target] : [];
    // Other arguments with the same objects are a change only if a refresh reads the target by them.
    const changes = replaces.length > 0 || news.digest !== olds.digest || this.#served.observesOtherwise(olds, news);
    if (urn !== undefined) this.#existing.met(this.#at(urn, olds), changes ? undefined : news, olds.revision);
    return { changes, replaces, deleteBeforeReplace: false };
  }

  async create(request: CreateRequest): Promise<{ id: string } & WriteResponse> {
    const { news } = request;
    const { id, response, rendering } = await inResource(this.#served.named(request, news), async () => {
      const { args, seen, desired } = await this.#served.confirmed(request, news);
      const former = this.#existing.formerTarget(this.#at(request.urn, news));
      const ensured = await this.#served.backend.ensure({ ...subjectOf(request, news), former }, desired);
      const { id, outs } = this.state(request.urn, news);
      const surveyed = await this.#served.observer.surveyedAfter(args, seen, request, {}, this.#target(request, news));
      this.#existing.made(this.#at(request.urn, news), outs.revision, news);
      return { id, response: written(outs, surveyed, ensured), rendering: { args, seen, desired } };
    });
    await this.#settled(request, id, response.outs, rendering);
    return { id, ...response };
  }

  /** Returns the state of a resource that matches these inputs. */
  state(urn: string, inputs: Properties): { id: string; outs: Properties } {
    return { id: this.#served.backend.id(urn, inputs), outs: { ...outputs(inputs), revision: newRevision() } };
  }

  async read(request: ExistingRequest): Promise<ReadResponse | undefined> {
    const found = await refresh(this.#served, request);
    const { effect } = this.#served.kind;
    if (!found || !effect) return found;
    const args = this.#served.required(request, request.olds);
    const refusal = found.refused ?? (await inResource(this.#served.named(request, request.olds), () => effect.refusal(args, request)));
    return { ...found, props: { ...found.props, ...effect.outputs(refusal), ...(refusal !== undefined && { digest: REFUSED }) } };
  }

  /** Returns the target's state of a resource with these properties. Undefined if nothing of the resource exists. */
  async live(request: Request & { readonly olds: Properties }): Promise<Live | undefined> {
    return (await look(this.#served, request)).state;
  }

  async update(request: UpdateRequest): Promise<WriteResponse> {
    const { backend, observer, kind } = this.#served;
    const { olds, news } = request;
    const { response, rendering, before } = await inResource(this.#served.named(request, news), async () => {
      // An older release may have written arguments that are refused now.
      const previous = this.#served.before(request);
      const drifted = isDriftDigest(news.digest);
      // If drift was found, the target does not hold what the old arguments describe.
      const unchanged = !drifted && !isDriftDigest(olds.digest) && previous !== undefined && olds.digest === backend.digest(previous);
      const { args, seen, desired } = await this.#served.confirmed(request, news);
      const before = await kind.effect?.before(args, kind.schema.safeParse(this.#served.own(olds)).data, request);
      const ensured = await backend.ensure(subjectOf(request, news), desired, { desired: previous, unchanged, properties: olds });
      const surveyed = await observer.surveyedAfter(args, seen, request, olds, this.#target(request, news));
      const revision = newRevision();
      this.#existing.met(this.#at(request.urn, news), news, olds.revision, revision);
      const outs = { ...outputs(news), ...(drifted && { digest: backend.digest(desired) }), revision };
      return { response: written(outs, surveyed, ensured), rendering: { args, seen, desired }, before };
    });
    await this.#settled(request, request.id, response.outs, rendering, before);
    return response;
  }

  delete(request: ExistingRequest): Promise<void> {
    const { olds, urn } = request;
    return inResource(this.#served.named(request, olds), async () => {
      const successor = this.#existing.successorOf(this.#at(urn, olds), olds.revision);
      if (successor) return this.#giveWay(request, successor.made);
      const known = this.#served.given(request, olds) !== undefined;
      await this.#served.backend.remove(subjectOf(request, olds), known ? (this.#served.before(request) ?? (await this.#leftovers(request))) : undefined);
    });
  }

  /** Removes what the resource at the same target does not have; nothing where that is not known: all may be its own. */
  async #giveWay(request: ExistingRequest, made: Properties | undefined): Promise<void> {
    if (!made) return;
    const previous = { desired: this.#served.before(request), unchanged: false, properties: request.olds, replaced: true } as const;
    const { desired } = await this.#served.confirmed(request, made);
    await this.#served.backend.ensure(subjectOf(request, made), desired, previous);
  }

  /** Waits for the effect of a write. A failure keeps the resource in the state: its objects are written. */
  async #settled(request: Request, id: string, outs: Properties, { args, desired }: Rendering<Args, Desired, Facts>, before?: unknown): Promise<void> {
    const { effect } = this.#served.kind;
    if (!effect) return;
    try {
      await inResource(this.#served.named(request, outs), () => effect.wait(args, desired, request, before));
    } catch (error) {
      const refusal = effect.refusalIn((error as Error).cause);
      throw new InitializationError(error as Error, id, refusal === undefined ? outs : { ...outs, ...effect.outputs(refusal) });
    }
  }

  #at(urn: string, properties: Properties) {
    return { urn, target: properties[this.#served.backend.target] };
  }

  #target({ targets }: Request, properties: Properties): string {
    return this.#served.backend.describe(properties, targets);
  }

  /** Returns the objects that a delete looks for if the state does not contain what was written. */
  async #leftovers(request: ExistingRequest): Promise<Desired> {
    const { kind, observer } = this.#served;
    const args = this.#served.required(request, request.olds);
    try {
      return kind.render(args, (await observer.now(args, request)).facts);
    } catch (error) {
      if (!kind.remains || !(error instanceof ArgumentError)) throw error;
      return kind.remains(args);
    }
  }

  repeated(outs: Properties): readonly string[] {
    return Object.keys(this.#served.own(outs)).filter((name) => name !== this.#served.backend.target && !DOCUMENTED.has(name));
  }
}

function written(outs: Properties, { properties, warnings }: Surveyed, ensured: Ensured | void): WriteResponse {
  const diagnostics = asWarnings([...(ensured?.warnings ?? []), ...warnings]);
  return { outs: { ...outs, ...properties, ...ensured?.properties }, ...(diagnostics.length > 0 && { diagnostics }) };
}

function newRevision(): string {
  return randomBytes(6).toString("hex");
}
