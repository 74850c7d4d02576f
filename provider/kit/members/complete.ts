import { hasUnknown, UNKNOWN } from "../arguments/unknown";
import type { MemberLists } from "./lists";
import type { Entries } from "./reference";

type Properties = Readonly<Record<string, unknown>>;

/** How a kind takes an argument that is its zone's part of a list that all zones share. */
export interface FromMembers {
  /** The argument that the list gives. A resource that has `members`, a reference to the list, does not have it. */
  readonly argument: string;
  /** Part of the list that a zone uses. Pure. */
  readonly part: (entries: Entries, zone: string) => unknown;
}

/** Arguments with their part of the referenced list; undefined if the list is missing. Arguments with their own list are unchanged. */
export function completed(from: FromMembers | undefined, given: Properties, lists: Pick<MemberLists, "find"> | undefined): Properties | undefined {
  const { members, ...rest } = given;
  if (!from || members === undefined) return given;
  if (hasUnknown(members) || hasUnknown(rest.zone)) return { ...rest, [from.argument]: UNKNOWN };
  const entries = lists?.find(members);
  return entries && { ...rest, [from.argument]: from.part(entries, String(rest.zone)) };
}
