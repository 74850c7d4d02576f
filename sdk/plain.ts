import { type Failure, type LooseArgs, notObject, propertyPath } from "@pulumi-ovn/provider";
import * as pulumi from "@pulumi/pulumi";

/** Whether a value is an output or a promise itself. */
export function isLater(value: unknown): boolean {
  return pulumi.Output.isInstance(value) || value instanceof Promise;
}

/** Whether a value contains no output and no promise at any depth. Such a value is not secret either. */
export function isPlain(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return true;
  if (isLater(value)) return false;
  return Object.values(value).every(isPlain);
}

/**
 * A check of values on which the existence of resources depends. It adds a failure for an output or a promise, and returns whether the
 * value's entries can be read.
 *
 * @param why text after "can't be an output: "
 */
export function knownCheck(why: string, failures: Failure[]) {
  return (value: unknown, ...path: PropertyKey[]): value is LooseArgs => {
    if (isLater(value)) failures.push({ path: propertyPath(path), code: "plain", message: `can't be an output: ${why}` });
    return typeof value === "object" && value !== null && !isLater(value);
  };
}

/** A `knownCheck` that also adds a failure for a value that is not an object. */
export function objectCheck(why: string, failures: Failure[]) {
  const isKnown = knownCheck(why, failures);
  return (value: unknown, ...path: PropertyKey[]): value is LooseArgs => {
    const message = isLater(value) ? undefined : notObject(value);
    if (message === undefined) return isKnown(value, ...path);
    failures.push({ path: propertyPath(path), code: value === undefined ? "required" : "invalid_type", message });
    return false;
  };
}

/** Errors for outputs and promises in arguments of a component that does not accept them. Resources are not checked here. */
export function laterFailures(value: unknown, path: readonly PropertyKey[] = []): Failure[] {
  if (isLater(value))
    return [{ path: propertyPath([...path]), code: "plain", message: "can't be an output: what resources there are is decided before anything is made" }];
  if (typeof value !== "object" || value === null || pulumi.Resource.isInstance(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) => laterFailures(inner, [...path, Array.isArray(value) ? Number(key) : key]));
}
