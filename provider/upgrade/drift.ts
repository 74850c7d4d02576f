import { handlers } from "../handlers";
import type { Properties } from "../handlers/handler";
import type { Connections } from "../zones/connections";
import { KIND, type StackResource } from "./network";

/**
 * URNs of resources whose live rows are neither as the stack made them nor as they are wanted: what an interrupted update
 * wrote is as wanted, though the state does not know it yet. Asks for the resources' own rows alone, all at once, and not
 * for what else the stack has. Resources with secret arguments are left out: an engine's events do not tell these.
 */
export async function driftedResources(connections: Connections, before: readonly StackResource[], after: readonly StackResource[]): Promise<string[]> {
  const wanted = new Map(after.map((resource) => [resource.urn, resource.inputs]));
  const judged = before.map(async ({ urn, type, outputs = {} }) => {
    if (!type.startsWith(KIND) || typeof outputs.digest !== "string" || outputs.redact !== undefined) return [];
    const kind = type.slice(KIND.length);
    if (await isLive(kind, outputs, connections)) return [];
    const inputs = wanted.get(urn);
    return inputs?.digest !== undefined && (await isLive(kind, inputs, connections)) ? [] : [urn];
  });
  return (await Promise.all(judged)).flat();
}

async function isLive(kind: string, properties: Properties, connections: Connections): Promise<boolean> {
  const live = await handlers[kind]?.read(properties, connections);
  return live?.props.digest === properties.digest;
}
