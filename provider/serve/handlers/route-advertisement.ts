import { type RouteAdvertisementSpec, schema } from "../../kinds/advertisement/args";
import { AdvertisementError, awaitAdvertised, readAcceptance } from "../../kinds/advertisement/cluster/wait";
import { CONFIGURATION, FRR } from "../../kinds/advertisement/cluster/reader";
import type { FrrConfiguration } from "../../kinds/advertisement/facts";
import type { Seen } from "../../kinds/advertisement/kind";
import { listedIn, together } from "../../kinds/advertisement/names";
import type { ObjectRendered } from "../../backends/contract/kind";
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
import { OWNER_LABEL, ownerLabel } from "../../backends/objects/marks";
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

  /** If nothing can be generated any more, `accepted` and `reason` report it too. */
  async read(request: ExistingRequest): Promise<ReadResponse | undefined> {
    const found = await this.objects.read(request);
    if (!found) return undefined;
    const { refused } = found;
    return { ...found, props: { ...found.props, ...(refused === undefined ? await this.#accepted(request) : { accepted: false, reason: refused }) } };
  }

  async update(request: UpdateRequest): Promise<{ outs: Properties }> {
    const former = await this.#written(request);
    const updated = await this.objects.update(request);
    await this.#wait(request, request.id, updated.outs, former);
    return updated;
  }

  delete(request: ExistingRequest): Promise<void> {
    return this.objects.delete(request);
  }

  /**
   * Returns the cluster's objects of an announcement whose withdrawal is awaited. The state may be outdated: a refresh
   * may have run since the write.
   */
  async #written({ urn, targets, olds, news, signal }: UpdateRequest): Promise<readonly FrrConfiguration[]> {
    const { mode, waitFor, cluster, namespace } = schema.parse(this.objects.own(news));
    if (mode === "controller" || waitFor === "none") return [];
    const former = schema.safeParse(this.objects.own(olds)).data?.namespace ?? namespace;
    const found = await inResource({ urn, place: targets.describeCluster(cluster) }, () =>
      Promise.all(
        together([former, namespace]).map((each) =>
          targets.cluster(cluster).list(FRR, CONFIGURATION, { ...listedIn(each), labels: `${OWNER_LABEL}=${ownerLabel(urn)}` }, signal),
        ),
      ),
    );
    return found.flat() as unknown as readonly FrrConfiguration[];
  }

  async #wait(request: Request, id: string, outs: Properties, former: readonly FrrConfiguration[] = []): Promise<void> {
    const { targets, signal, urn } = request;
    const spec = schema.parse(this.objects.own(outs));
    const objects = (this.objects.desired(request, outs)?.set.objects ?? []) as unknown as readonly FrrConfiguration[];
    try {
      await inResource({ urn, place: targets.describeCluster(spec.cluster) }, () =>
        awaitAdvertised(spec, objects, targets.cluster(spec.cluster), signal, former),
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
