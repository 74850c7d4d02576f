import { propertyPath } from "../../kit/arguments/path";
import type { Properties } from "../../backends/contract/backend";

/** An argument that is, or has somewhere inside, a secret; or the path to a part of one: keys of maps and positions in lists. */
export type SecretPath = string | readonly string[];

/** The secret paths of a resource, as its property `redact` has them. */
export function secretPathsOf(redact: unknown): SecretPath[] {
  return Array.isArray(redact) ? redact.map((path: unknown) => (Array.isArray(path) ? path.map(String) : String(path))) : [];
}

/** Whether a value is secret now that was not secret before, by itself or as a part of another value. */
export function addsSecret(before: readonly SecretPath[], now: readonly SecretPath[]): boolean {
  const known = before.map((path) => [path].flat());
  return now.map((path) => [path].flat()).some((path) => !known.some((whole) => whole.every((key, index) => path[index] === key)));
}

/** Whether a property, in the form in which Pulumi writes paths, is at a path or inside the value there. */
export function isWithin(property: string, path: SecretPath): boolean {
  const whole = propertyPath([path].flat().map((key) => (/^\d+$/.test(key) ? Number(key) : key)));
  const own = property.replaceAll(/\["(\d+)"\]/g, "[$1]");
  return own === whole || (own.startsWith(whole) && /[.[]/.test(own[whole.length]!));
}

/** Value at a path. Undefined if there is no value. */
export function valueAt(properties: Properties, path: SecretPath): unknown {
  return [path].flat().reduce<unknown>((value, key) => (isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined), properties);
}

/** The properties with another value at a path that exists. */
export function withValueAt<Value>(properties: Value, path: readonly string[], change: (value: unknown) => unknown): Value {
  const [key, ...rest] = path;
  if (key === undefined) return change(properties) as Value;
  if (Array.isArray(properties)) return properties.map((item: unknown, index) => (String(index) === key ? withValueAt(item, rest, change) : item)) as Value;
  return { ...properties, [key]: withValueAt((properties as Properties)[key], rest, change) };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
