import { didYouMean } from "../../kit/arguments/nearest";
import { listed } from "../../kit/text/listed";
import type { Failures } from "../../kit/arguments/failures";

const MOST_NAMED = 12;

const KINDS = { host: { code: "unknown-host" }, tier: { code: "unknown-tier" }, acl: { code: "unknown-acl" } } as const;

/** Whether the object that an argument names exists. If not, adds a failure at `path`. */
export function checkKnown(what: keyof typeof KINDS, name: string, all: Readonly<Record<string, unknown>>, path: string, failures: Failures): boolean {
  if (Object.hasOwn(all, name)) return true;
  const known = Object.keys(all).sort();
  failures.add(
    path,
    KINDS[what].code,
    known.length === 0 ? `"${name}": there is no ${what}` : `"${name}" is not one of ${listed(known, MOST_NAMED)}${didYouMean(name, known)}`,
  );
  return false;
}
