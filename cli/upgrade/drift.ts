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
import type { StackResource } from "./network";
import { kindOf, renderedRows } from "./rendering";

/**
 * URNs of resources whose live rows are neither as the stack made them nor as they are wanted: what an interrupted update
 * wrote is as wanted, though the state does not know it yet. Rows that are gone and not wanted any more do not count: policies
 * go with their router, in an update that may end before it comes to the resource that they belong to. Asks for the resources'
 * own rows alone, all at once, and not for what else the stack has. Resources with secret arguments are left out: an
 * engine's events do not tell these.
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

/** Whether nothing differs but that rows are gone which are not wanted. After a refresh that found drift the arguments do not tell what the rows were. */
function onlyLost({ drift }: Live, outputs: Properties, resource: StackResource, wanted: ReadonlySet<string>): boolean {
  const made = renderedRows({ ...resource, inputs: outputs });
  if (!made || setDigest(made) !== outputs.digest) return false;
  return Object.entries(drift).every(([label, difference]) => difference === MISSING && !wanted.has(label));
}

function labelsOf(resource: StackResource): ReadonlySet<string> {
  const set = renderedRows(resource);
  return new Set(set && [...set.rows.map(rowLabel), ...contributionLines(set).map(([label]) => label)]);
}
