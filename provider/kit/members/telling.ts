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
export const FORMERLY = "formerly";

interface Formerly {
  readonly reference: string;
  readonly entries: Former;
}

/** The outputs of the resource that holds lists, when these have changed. */
export function told(olds: Properties, news: Properties): Properties {
  const [before, after] = [referencesIn(olds), referencesIn(news)];
  const kept = (olds[FORMERLY] ?? {}) as Readonly<Record<string, Formerly>>;
  const formerly = Object.keys(after).flatMap((list): [string, Formerly][] => {
    const reference = before[list];
    if (reference === after[list]) return kept[list] ? [[list, kept[list]]] : [];
    return reference === undefined ? [] : [[list, { reference, entries: formerEntries(olds[list] as Entries, news[list] as Entries) }]];
  });
  return formerly.length === 0 ? news : { ...news, [FORMERLY]: Object.fromEntries(formerly) };
}

/** Remembers the lists in the properties of such a resource, and the previous ones. */
export function tell(members: Pick<MemberLists, "remember"> | undefined, properties: Properties): void {
  const formerly = (properties[FORMERLY] ?? {}) as Readonly<Record<string, Formerly>>;
  for (const [list, { reference, entries }] of Object.entries(formerly)) members?.remember(reference, restored(properties[list] as Entries, entries));
  for (const [list, reference] of Object.entries(referencesIn(properties))) members?.remember(reference, properties[list], true);
}

function referencesIn(properties: Properties): Readonly<Record<string, string>> {
  return (properties[REFERENCES] ?? {}) as Readonly<Record<string, string>>;
}
