import * as pulumi from "@pulumi/pulumi";

/** Whether a value is an output or a promise itself. */
export function isLater(value: unknown): boolean {
  return pulumi.Output.isInstance(value) || value instanceof Promise;
}

/** Whether a value is known as it stands: no output and no promise anywhere inside. Such a value is no secret either. */
export function isPlain(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return true;
  if (isLater(value)) return false;
  return Object.values(value).every(isPlain);
}
