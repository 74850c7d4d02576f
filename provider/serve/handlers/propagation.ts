import { asErrors } from "../../kit/arguments/diagnostics";
import { sameJson, UNKNOWN } from "../../kit/arguments/unknown";
import { propertyPath } from "../../kit/arguments/path";
import { validate } from "../../kit/arguments/validate";
import { describeZone, zoneFailures } from "../../backends/rows/backend";
import { propagate } from "../../targets/propagate";
import { propagationSchema as schema, revisionsOf } from "../../kinds/topology/propagation";
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
  UpdateRequest,
} from "./handler";
import { inResource } from "./report";

const DATABASE = "OVN_Northbound";

/** Waits once for everything that a stack changed in its zones, instead of once for each row. */
export class PropagationHandler implements Handler {
  check({ news, targets }: CheckRequest): Promise<CheckResponse> {
    const failures = validate(schema, news);
    if (failures.length === 0)
      failures.push(...namesIn(news).flatMap(([zone, path]) => zoneFailures(zone, DATABASE, targets).map((failure) => ({ ...failure, path }))));
    return Promise.resolve({ inputs: news, diagnostics: asErrors(failures) });
  }

  diff({ olds, news }: DiffRequest): DiffResponse {
    return { changes: !sameJson(olds, news), replaces: [], deleteBeforeReplace: false };
  }

  async create(request: CreateRequest): Promise<{ id: string; outs: Properties }> {
    const { news } = request;
    await this.#wait(request, Object.keys(revisionsOf(schema.parse(news))));
    return { id: `propagation-${String(news.zone ?? "zones")}`, outs: news };
  }

  read({ olds }: ExistingRequest): Promise<ReadResponse> {
    return Promise.resolve({ props: olds, inputs: olds });
  }

  async update(request: UpdateRequest): Promise<{ outs: Properties }> {
    await this.#wait(request, Object.keys(changed(request.olds, request.news)));
    return { outs: request.news };
  }

  delete(): Promise<void> {
    return Promise.resolve();
  }

  /** Waits for all zones in parallel. If several fail, the error names each of them. */
  async #wait({ urn, news, targets }: CreateRequest, zones: readonly string[]): Promise<void> {
    const { waitFor, timeout } = schema.parse(news);
    const waits = zones.map((zone) =>
      inResource({ urn, target: describeZone(zone, DATABASE, targets) }, () => propagate(targets, zone, waitFor, timeout * 1000, urn)),
    );
    const failed = (await Promise.allSettled(waits)).flatMap((result) => (result.status === "rejected" ? [result.reason as Error] : []));
    if (failed.length === 0) return;
    const [first] = failed as [Error];
    first.message = failed.map(({ message }) => message).join("\n");
    throw first;
  }
}

/** Zones whose revision has changed, or all of them when the wait is another one. */
function changed(olds: Properties, news: Properties): Readonly<Record<string, unknown>> {
  const [before, after] = [schema.safeParse(olds), schema.parse(news)];
  const revisions = revisionsOf(after);
  if (!before.success || before.data.waitFor !== after.waitFor) return revisions;
  const known = revisionsOf(before.data);
  return Object.fromEntries(Object.entries(revisions).filter(([zone, revision]) => !Object.hasOwn(known, zone) || !sameJson(known[zone], revision)));
}

/** Known names of zones, with their argument paths. */
function namesIn({ zone, zones }: Properties): [zone: string, path: string][] {
  if (typeof zone === "string") return zone === UNKNOWN ? [] : [[zone, "zone"]];
  return typeof zones === "object" && zones !== null ? Object.keys(zones).map((name) => [name, propertyPath(["zones", name])]) : [];
}
