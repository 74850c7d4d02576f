import { type RouteAdvertisementSpec, schema } from "../advertisement/args";
import { AdvertisementError, awaitAdvertised, readAcceptance } from "../advertisement/cluster/wait";
import type { FrrConfiguration } from "../advertisement/facts";
import type { Seen } from "../advertisement/kind";
import type { ObjectRendered } from "../contract/kind";
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
} from "./handler";
import { InitializationError } from "./initialization-error";
import { inResource } from "./report";
import { REFUSED } from "./refresh";
import type { ResourceHandler } from "./resource-handler";

/** An announcement is a resource of objects whose effect is waited for, and whose cluster can make it impossible. */
export class RouteAdvertisementHandler implements Handler {
  constructor(private readonly objects: ResourceHandler<RouteAdvertisementSpec, ObjectRendered, Seen>) {}

  check(request: CheckRequest): Promise<CheckResponse> {
    return this.objects.check(request);
  }

  diff(request: DiffRequest): DiffResponse {
    return this.objects.diff(request);
  }

  async create(request: CreateRequest): Promise<{ id: string; outs: Properties }> {
    const made = await this.objects.create(request);
    await this.#wait(request, made.id, made.outs);
    return made;
  }

  /** Where nothing could be generated any more, `accepted` and `reason` say so, too. */
  async read(request: ExistingRequest): Promise<ReadResponse | undefined> {
    const found = await this.objects.read(request);
    if (!found) return undefined;
    const { refused } = found;
    return { ...found, props: { ...found.props, ...(refused === undefined ? await this.#accepted(request) : { accepted: false, reason: refused }) } };
  }

  async update(request: UpdateRequest): Promise<{ outs: Properties }> {
    const updated = await this.objects.update(request);
    await this.#wait(request, request.id, updated.outs);
    return updated;
  }

  delete(request: ExistingRequest): Promise<void> {
    return this.objects.delete(request);
  }

  async #wait(request: Request, id: string, outs: Properties): Promise<void> {
    const { targets, signal, urn } = request;
    const spec = schema.parse(this.objects.own(outs));
    const written = this.objects.desired(request, outs)?.set.objects ?? [];
    try {
      await inResource({ urn, place: targets.describeCluster(spec.cluster) }, () =>
        awaitAdvertised(spec, written as unknown as readonly FrrConfiguration[], targets.cluster(spec.cluster), signal),
      );
    } catch (error) {
      const { cause } = error as Error;
      const refused = cause instanceof AdvertisementError && cause.code === "OVN_NOT_ACCEPTED";
      throw new InitializationError(error as Error, id, refused ? { ...outs, accepted: false, reason: cause.message } : outs);
    }
  }

  /** Objects that could be generated are right; of its own object ovn-kubernetes' controller says so. */
  async #accepted({ urn, targets, olds, signal }: ExistingRequest): Promise<Properties> {
    const spec = schema.parse(this.objects.own(olds));
    if (spec.mode !== "controller") return ACCEPTED;
    const { state, message } = await inResource({ urn, place: targets.describeCluster(spec.cluster) }, () =>
      readAcceptance(spec, targets.cluster(spec.cluster), signal),
    );
    return state === "accepted" ? ACCEPTED : { accepted: false, reason: message, digest: REFUSED };
  }
}

const ACCEPTED = { accepted: true, reason: undefined };
