import * as pulumi from "@pulumi/pulumi";

/** Paths of the outputs and promises inside of a value, in its order. */
export function laterPaths(value: unknown, path: readonly PropertyKey[] = []): PropertyKey[][] {
  if (typeof value !== "object" || value === null) return [];
  if (pulumi.Output.isInstance(value) || value instanceof Promise) return [[...path]];
  return Object.entries(value).flatMap(([key, inner]) => laterPaths(inner, [...path, Array.isArray(value) ? Number(key) : key]));
}

/** Whether a value is known as it stands: no output and no promise anywhere inside. Such a value is no secret either. */
export function isPlain(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return true;
  if (pulumi.Output.isInstance(value) || value instanceof Promise) return false;
  return Object.values(value).every(isPlain);
}
