import { UNKNOWN } from "@pulumi-ovn/provider/tools";

/** Properties of a resource as a state or a preview contains them: values may be missing, unknown or secret. */
export type Properties = Readonly<Record<string, unknown>>;

/** Key of Pulumi's encoding of a secret. (pulumi/sdk/go/common/resource/properties.go) */
const SIGNATURE = "4dabf18193072939515e22adb298388d";

const isObject = (value: unknown): value is Properties => typeof value === "object" && value !== null && !Array.isArray(value);
const isSecret = (value: unknown) => isObject(value) && SIGNATURE in value;

/** Text of one value. Undefined if the value is missing or is not a scalar. */
export function textOf(value: unknown): string | undefined {
  if (isSecret(value)) return "[secret]";
  if (value === UNKNOWN) return "not known yet";
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? String(value) : undefined;
}

/** Texts of a list. A single value is a list of one. */
export function textsOf(value: unknown): string[] {
  return (Array.isArray(value) ? (value as unknown[]) : [value]).map(textOf).filter((text) => text !== undefined);
}

/** Entries of a map, sorted by name. Empty if the value is not a map. */
export function entriesOf(value: unknown): [name: string, value: unknown][] {
  return isObject(value) && !isSecret(value) ? Object.entries(value).sort(([a], [b]) => natural(a, b)) : [];
}

export function objectOf(value: unknown): Properties {
  return isObject(value) && !isSecret(value) ? value : {};
}

/** Compares names so that node2 precedes node10. The same on every machine. */
export function natural(a: string, b: string): number {
  const [left, right] = [a, b].map((name) => name.split(/(\d+)/));
  for (let index = 0; index < Math.min(left!.length, right!.length); index++) {
    const [one, other] = [left![index]!, right![index]!];
    if (one === other) continue;
    const difference = index % 2 === 1 ? BigInt(one) - BigInt(other) : 0n;
    return difference === 0n ? (one < other ? -1 : 1) : difference < 0n ? -1 : 1;
  }
  return left!.length - right!.length;
}

export function unique(names: Iterable<string>): string[] {
  return [...new Set(names)].sort(natural);
}
