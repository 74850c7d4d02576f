import { TYPE_PREFIX } from "@pulumi-ovn/provider";
import {
  contents,
  contributionLines,
  handlers,
  hasUnknown,
  type Live,
  MISSING,
  type Properties,
  ResourceHandler,
  rowLabel,
  setDigest,
} from "@pulumi-ovn/provider/tools";
import type { Connections } from "@pulumi-ovn/provider/targets";
import type { StackResource } from "../stack/resource";
import { kindOf, renderedRows } from "../stack/rendering";

/**
 * URNs of resources whose live rows are neither as the stack made them nor as desired. Rows written by an interrupted update count as desired.
 * Deleted unwanted rows are ignored: policies are deleted with their router, maybe before the update reaches their resource. Reads only the
 * resources' own rows, in parallel. Resources with secret arguments are skipped: the engine's events do not contain these.
 */
export async function driftedResources(connections: Connections, before: readonly StackResource[], after: readonly StackResource[]): Promise<string[]> {
  const wanted = new Map(after.map((resource) => [resource.urn, resource]));
  const judged = before.map(async (resource) => ((await hasDrifted(resource, wanted.get(resource.urn), connections)) ? [resource.urn] : []));
  return (await Promise.all(judged)).flat();
}

async function hasDrifted(resource: StackResource, next: StackResource | undefined, connections: Connections): Promise<boolean> {
  const { type, outputs = {} } = resource;
  const handler = handlers[kindOf(resource)];
  if (!type.startsWith(TYPE_PREFIX) || !(handler instanceof ResourceHandler) || typeof outputs.digest !== "string" || outputs.redact !== undefined)
    return false;
  const request = { urn: String(outputs.owner), secrets: [], targets: connections };
  const live = await handler.live({ ...request, olds: contents(outputs) });
  if (live?.digest === outputs.digest) return false;
  if (!next) return !(live === undefined || onlyLost(live, outputs, resource, new Set()));
  if (next.inputs.digest === undefined || next.inputs.redact !== undefined || hasUnknown(next.inputs)) return true;
  if ((await handler.live({ ...request, olds: contents(next.inputs) }))?.digest === next.inputs.digest) return false;
  return !(live && onlyLost(live, outputs, resource, labelsOf(next)));
}

/** Whether the only differences are deleted rows that are not desired. After a refresh with drift, the arguments do not show the earlier rows. */
function onlyLost({ drift }: Live, outputs: Properties, resource: StackResource, wanted: ReadonlySet<string>): boolean {
  const made = renderedRows({ ...resource, inputs: outputs });
  if (!made || setDigest(made) !== outputs.digest) return false;
  return Object.entries(drift).every(([label, difference]) => difference === MISSING && !wanted.has(label));
}

function labelsOf(resource: StackResource): ReadonlySet<string> {
  const set = renderedRows(resource);
  return new Set(set && [...set.rows.map(rowLabel), ...contributionLines(set).map(([label]) => label)]);
}
