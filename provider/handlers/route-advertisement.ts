import { type RouteAdvertisementSpec, schema } from "../advertisement/args";
import { awaitAdvertised } from "../advertisement/cluster/wait";
import type { FrrConfiguration } from "../advertisement/facts";
import type { Seen } from "../advertisement/kind";
import { ArgumentError } from "../arguments/errors";
import type { ObjectRendered } from "../kind";
import type { CheckRequest, CheckResponse, CreateRequest, DiffRequest, DiffResponse, ExistingRequest, Handler, Properties, ReadResponse, Request, UpdateRequest } from "./handler";
import { InitializationError } from "./initialization-error";
import { inResource } from "./report";
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

  /** Where the cluster has changed so that nothing could be generated, what was written stays: the outputs say why. */
  async read(request: ExistingRequest): Promise<ReadResponse | undefined> {
    try {
      const found = await this.objects.read(request);
      return found && { ...found, props: { ...found.props, ...ACCEPTED } };
    } catch (error) {
      const { cause } = error as Error;
      if (!(cause instanceof ArgumentError)) throw error;
      return { props: { ...request.olds, accepted: false, reason: cause.message, digest: REFUSED } };
    }
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
      await inResource({ urn, place: targets.describeCluster(spec.cluster) }, () => awaitAdvertised(spec, written as unknown as readonly FrrConfiguration[], targets.cluster(spec.cluster), signal));
    } catch (error) {
      throw new InitializationError(error as Error, id, outs);
    }
  }
}

const ACCEPTED = { accepted: true, reason: undefined };

/** No digest of objects: the next update compares as different, and its check says what is wrong. */
const REFUSED = "refused";
