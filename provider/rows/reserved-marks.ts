import type { Failure } from "../arguments/errors";
import { propertyPath } from "../arguments/path";

/** Of keys that say whose a row is, and what of it. */
const OWN = "pulumi-ovn:";

/** What is wrong with keys of `external_ids` that a program gives: the engine's own would be overwritten, or taken for its own. */
export function reservedFailures(ids: unknown, path: readonly PropertyKey[]): Failure[] {
  if (typeof ids !== "object" || ids === null) return [];
  const own = Object.keys(ids).filter((key) => key.startsWith(OWN));
  return own.map((key) => ({ path: propertyPath([...path, key]), code: "reserved", message: `keys that start with ${OWN} mark the owner of the row` }));
}

/** The same of the argument that all kinds of rows have. */
export function markFailures({ externalIds }: Readonly<Record<string, unknown>>): Failure[] {
  return reservedFailures(externalIds, ["externalIds"]);
}
