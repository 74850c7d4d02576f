import { asErrors } from "../arguments/diagnostics";
import { hasUnknown, sameJson } from "../arguments/unknown";
import { validate } from "../arguments/validate";
import { describeZone, zoneFailures } from "../rows/backend";
import { propagate } from "../targets/propagate";
import { propagationSchema as schema } from "../topology/propagation";
import type { CheckRequest, CheckResponse, CreateRequest, DiffRequest, DiffResponse, ExistingRequest, Handler, Properties, ReadResponse, UpdateRequest } from "./handler";
import { inResource } from "./report";

const DATABASE = "OVN_Northbound";

/** One wait for the whole of what a stack changed in a zone, instead of one for each row. */
export class PropagationHandler implements Handler {
  check({ news, targets }: CheckRequest): Promise<CheckResponse> {
    const failures = validate(schema, news);
    if (failures.length === 0 && !hasUnknown(news.zone)) failures.push(...zoneFailures(news.zone as string, DATABASE, targets));
    return Promise.resolve({ inputs: news, diagnostics: asErrors(failures) });
  }

  diff({ olds, news }: DiffRequest): DiffResponse {
    return { changes: !sameJson(olds, news), replaces: [], deleteBeforeReplace: false };
  }

  async create(request: CreateRequest): Promise<{ id: string; outs: Properties }> {
    await this.#wait(request);
    return { id: `propagation-${String(request.news.zone)}`, outs: request.news };
  }

  read({ olds }: ExistingRequest): Promise<ReadResponse> {
    return Promise.resolve({ props: olds, inputs: olds });
  }

  async update(request: UpdateRequest): Promise<{ outs: Properties }> {
    await this.#wait(request);
    return { outs: request.news };
  }

  delete(): Promise<void> {
    return Promise.resolve();
  }

  #wait({ urn, news, targets }: CreateRequest): Promise<void> {
    const { zone, waitFor, timeout } = schema.parse(news);
    return inResource({ urn, place: describeZone(zone, DATABASE, targets) }, () => propagate(targets, zone, waitFor, timeout * 1000));
  }
}
