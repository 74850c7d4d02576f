import { mapped } from "../kit/entries";

// A component whose arguments are not all known is made in parts. Each part depends on few arguments. The whole schema checks them, with
// stand-ins for required arguments that the part does not depend on.

/** Arguments of which any may be the output of another resource. */
export type LooseArgs = Readonly<Record<string, unknown>>;

/**
 * The named arguments and the stand-ins for others. Argument values are moved, never read.
 *
 * @param from a value other than an object is kept, for the schema to refuse or to be known later
 * @param standIns values of required arguments that a part does not depend on
 */
export function pick(from: LooseArgs, names: readonly string[], standIns?: LooseArgs): LooseArgs;
export function pick(from: unknown, names: readonly string[], standIns?: LooseArgs): unknown;
export function pick(from: unknown, names: readonly string[], standIns: LooseArgs = {}): unknown {
  if (!hasEntries(from)) return from;
  return { ...standIns, ...Object.fromEntries(names.flatMap((name) => (from[name] === undefined ? [] : [[name, from[name]]]))) };
}

/** `pick` for each entry of a map. */
export function pickEach(map: LooseArgs, names: readonly string[], standIns?: LooseArgs): LooseArgs;
export function pickEach(map: unknown, names: readonly string[], standIns?: LooseArgs): unknown;
export function pickEach(map: unknown, names: readonly string[], standIns?: LooseArgs): unknown {
  return hasEntries(map) ? mapped(map, (entry) => pick(entry, names, standIns)) : map;
}

/** Whether the entries of a value are known. Outputs and promises have the methods `apply` and `then`. */
export function hasEntries(value: unknown): value is LooseArgs {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !("apply" in value || "then" in value);
}
