import { formerEntries, type Former, restored } from "./former";
import type { MemberLists } from "./lists";
import type { Entries } from "./reference";

type Properties = Readonly<Record<string, unknown>>;

/** Property that has what each list is referred to by; known in previews. */
export const REFERENCES = "lists";

/**
 * Output that has what was otherwise before the last change: an update that is interrupted leaves resources that refer to
 * lists of before. As small as the change.
 */
export const PREVIOUS = "formerly";

interface PreviousList {
  readonly reference: string;
  readonly entries: Former;
}

/** The outputs of the resource that holds lists, when these have changed. */
export function withPrevious(olds: Properties, news: Properties): Properties {
  const [before, after] = [referencesIn(olds), referencesIn(news)];
  const kept = (olds[PREVIOUS] ?? {}) as Readonly<Record<string, PreviousList>>;
  const previous = Object.keys(after).flatMap((list): [string, PreviousList][] => {
    const reference = before[list];
    if (reference === after[list]) return kept[list] ? [[list, kept[list]]] : [];
    return reference === undefined ? [] : [[list, { reference, entries: formerEntries(olds[list] as Entries, news[list] as Entries) }]];
  });
  return previous.length === 0 ? news : { ...news, [PREVIOUS]: Object.fromEntries(previous) };
}

/** Remembers the lists in the properties of such a resource, and the previous ones. */
export function rememberLists(members: Pick<MemberLists, "remember"> | undefined, properties: Properties): void {
  const previous = (properties[PREVIOUS] ?? {}) as Readonly<Record<string, PreviousList>>;
  for (const [list, { reference, entries }] of Object.entries(previous)) members?.remember(reference, restored(properties[list] as Entries, entries));
  for (const [list, reference] of Object.entries(referencesIn(properties))) members?.remember(reference, properties[list], true);
}

function referencesIn(properties: Properties): Readonly<Record<string, string>> {
  return (properties[REFERENCES] ?? {}) as Readonly<Record<string, string>>;
}
