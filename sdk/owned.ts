import { didYouMean } from "@pulumi-ovn/provider";
import { ProgramError } from "./program-error";

/**
 * The part of a pool that belongs to one owner.
 *
 * @param pool name of the pool in errors: `TunnelKeyPool "keys"`
 * @param all undefined with mocks and invalid arguments; the result is then undefined
 */
export function ownOf<Own>(pool: string, all: Readonly<Record<string, Own>> | undefined, owner: string): Own {
  if (all === undefined) return all as Own;
  if (Object.hasOwn(all, owner)) return all[owner]!;
  const owners = Object.keys(all);
  throw new ProgramError(`${pool} has no owner "${owner}"; it has ${owners.join(", ")}${didYouMean(owner, owners)}`);
}
