import type { Mutation } from "@pulumi-ovn/ovsdb-client";
import { digestOf } from "../../../kit/digest";
import type { LiveRow } from "../database/row";
import { OWNER_KEY } from "../../../kit/identity";
import { ownerIn } from "../marks/ownership";

/**
 * Marks of a shared row: the first user's is the usual owner mark, each further one has its own key. A row with one user looks like any other,
 * and a second user changes only its key.
 */
const USER_KEY = "pulumi-ovn:user/";

export function userKey(owner: string): string {
  return `${USER_KEY}${digestOf(owner)}`;
}

/** The key that the owner's mark has, or is to have. */
export function markKey(owner: string, live: LiveRow | undefined): string {
  const first = live && ownerIn(live);
  return first === undefined || first === owner ? OWNER_KEY : userKey(owner);
}

/** URNs of all users, the first one before the others. */
export function usersOf(live: LiveRow): string[] {
  const first = ownerIn(live);
  return [...(first === undefined ? [] : [first]), ...furtherUsers(live).map(([, user]) => user)];
}

function furtherUsers({ external_ids: ids }: LiveRow): [key: string, user: string][] {
  const entries = ids instanceof Map ? [...ids].map(([key, value]): [string, string] => [String(key), String(value)]) : [];
  return entries.filter(([key]) => key.startsWith(USER_KEY)).sort(([a], [b]) => (a < b ? -1 : 1));
}

/** Whether a row's first owner is a resource of the same kind, which knows of further users. */
export function isOfKind(owner: string, first: string): boolean {
  return kindIn(first) !== undefined && kindIn(first) === kindIn(owner);
}

function kindIn(urn: string): string | undefined {
  return urn.split("::")[2]?.split("$").pop();
}

/** Takes a user's mark away. When it was the first one, the next one is first from now on. */
export function leavingMutations(owner: string, live: LiveRow): Mutation[] {
  if (ownerIn(live) !== owner) return [["external_ids", "delete", ["set", [userKey(owner)]]]];
  const [key, heir] = furtherUsers(live)[0]!;
  return [
    ["external_ids", "delete", ["set", [OWNER_KEY, key]]],
    ["external_ids", "insert", ["map", [[OWNER_KEY, heir]]]],
  ];
}
