import { hasUnknown, UNKNOWN } from "../arguments/unknown";
import type { MemberLists } from "./lists";
import type { Entries } from "./reference";

type Properties = Readonly<Record<string, unknown>>;

/** How a kind takes an argument that is its zone's part of a list that all zones share. */
export interface FromMembers {
  /** The argument that the list gives. A resource that has `members`, a reference to the list, does not have it. */
  readonly argument: string;
  /** What a zone makes of the list. Pure. */
  readonly part: (entries: Entries, zone: string) => unknown;
}

/** The arguments with their part of the list that they refer to; undefined when nobody has told the list. Those that hold their list themselves stay as they are. */
export function completed(from: FromMembers | undefined, given: Properties, lists: Pick<MemberLists, "find"> | undefined): Properties | undefined {
  const { members, ...rest } = given;
  if (!from || members === undefined) return given;
  if (hasUnknown(members) || hasUnknown(rest.zone)) return { ...rest, [from.argument]: UNKNOWN };
  const entries = lists?.find(members);
  return entries && { ...rest, [from.argument]: from.part(entries, String(rest.zone)) };
}
