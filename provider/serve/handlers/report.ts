import { kindOfType } from "../../kit/provider-text";
import { messageIn } from "../../targets/message-in";

/** How errors call a resource. */
export interface Resource {
  readonly urn: string;
  /** Its target, as `Backend.describe` has it. */
  readonly target: string;
}

/** `TransitRouter "blue"` */
function nameOf(urn: string): string {
  const [type = "", name = ""] = urn.split("::").slice(-2);
  return `${kindOfType(type)} "${name}"`;
}

/**
 * An operation on a resource failed. The text is one line: the stable code, the resource, its target, and what to do; it
 * never holds a secret, because engine errors name rows and columns, not whole values.
 */
export class ResourceError extends Error {
  readonly code: string;

  constructor({ urn, target }: Resource, cause: unknown) {
    const error = cause instanceof Error ? cause : new Error(String(cause));
    const given = (error as { code?: unknown }).code;
    const code = typeof given === "string" ? given : "OVN_INTERNAL";
    super(`${code}: ${nameOf(urn)} in ${target}: ${messageIn(target, error)}`, { cause });
    this.name = "ResourceError";
    this.code = code;
    // The protocol's adapter prints stacks of expected failures; the message suffices.
    if (code !== "OVN_INTERNAL") this.stack = "";
  }
}

/** Runs one operation; any error becomes one that names the resource. */
export async function inResource<T>(resource: Resource, operation: () => Promise<T>): Promise<T> {
  try {
    return await operation();
  } catch (error) {
    throw new ResourceError(resource, error);
  }
}
