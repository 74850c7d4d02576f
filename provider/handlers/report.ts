import type { DatabaseName } from "../rows/rowset";
import type { Connections } from "../zones/connections";
import type { Properties } from "./handler";

/** How errors call a resource. */
export interface Resource {
  readonly name: string;
  readonly zone: string;
  /** The zone's endpoints as configured; undefined when they are not. */
  readonly endpoint: string | undefined;
}

export function resourceOf(properties: Properties, database: DatabaseName, connections: Connections): Resource {
  const owner = String(properties.owner ?? "");
  const [type = "", name = ""] = owner.split("::").slice(-2);
  const zone = String(properties.zone ?? "");
  return { name: `${type.split(":").pop()} "${name}"`, zone, endpoint: configured(zone, database, connections) };
}

function configured(zone: string, database: DatabaseName, connections: Connections): string | undefined {
  try {
    return connections.endpoints(zone, database);
  } catch {
    return undefined;
  }
}

/**
 * An operation on a resource failed. The text is one line: the stable code, the resource, its zone and the endpoint,
 * and what to do; it never holds a secret, because engine errors name rows and columns, not whole values.
 */
export class ResourceError extends Error {
  readonly code: string;

  constructor(resource: Resource, cause: unknown) {
    const error = cause instanceof Error ? cause : new Error(String(cause));
    const code = (error as { code?: unknown }).code;
    const place = `zone "${resource.zone}"${resource.endpoint === undefined ? "" : ` (${resource.endpoint})`}`;
    super(`${typeof code === "string" ? code : "OVN_INTERNAL"}: ${resource.name} in ${place}: ${error.message}`, { cause });
    this.name = "ResourceError";
    this.code = typeof code === "string" ? code : "OVN_INTERNAL";
    // The protocol's adapter prints stacks of expected failures; the message says it all.
    if (this.code !== "OVN_INTERNAL") this.stack = "";
  }
}

/** Runs one operation; whatever it throws becomes an error that names the resource. */
export async function inResource<T>(resource: Resource, operation: () => Promise<T>): Promise<T> {
  try {
    return await operation();
  } catch (error) {
    throw new ResourceError(resource, error);
  }
}
