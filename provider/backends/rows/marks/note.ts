import { memo } from "../../../kit/memo/memo";
import { OWNER_KEY } from "../../../kit/identity";
import type { LiveRow } from "../database/row";
import { isResolvedMap, type ResolvedValue } from "../set/values";

/**
 * The `external_ids` key with the columns and map keys that the resource set: `mac networks options:requested-chassis,requested-tnl-key`. A
 * later version can clear values without knowing the earlier one; values of others stay. Rows of an older release get the annotation with their
 * next write.
 */
export const COLUMNS_KEY = "pulumi-ovn:columns";

/** Columns that are a resource's own: whole, or these keys of a map. */
export type OwnColumns = ReadonlyMap<string, "whole" | ReadonlySet<string>>;

export function ownColumns(columns: Readonly<Record<string, ResolvedValue>>): OwnColumns {
  const own = Object.entries(columns).map(([name, value]): [string, "whole" | Set<string>] => {
    return [name, isResolvedMap(value) ? new Set(Object.keys(value.map).filter((key) => key !== OWNER_KEY)) : "whole"];
  });
  return new Map(own);
}

/** Undefined when there is nothing to note: every version of a row has a name. */
export function noteOf(columns: Readonly<Record<string, ResolvedValue>>): string | undefined {
  const words: string[] = [];
  for (const name in columns) {
    const value = columns[name];
    if (isResolvedMap(value))
      words.push(
        ...wordOf(
          name,
          Object.keys(value.map).filter((key) => key !== OWNER_KEY),
        ),
      );
    else if (name !== "name") words.push(name);
  }
  return words.length === 0 ? undefined : words.sort().join(" ");
}

/** `mac`, `options:mtu,peer`: one word for each column, sorted. */
export function wordsOf(columns: OwnColumns): string[] {
  return [...columns].flatMap(([name, own]) => (own === "whole" ? [name] : wordOf(name, [...own]))).sort();
}

function wordOf(name: string, keys: string[]): string[] {
  return keys.length === 0 ? [] : [`${name}:${keys.sort().map(escape).join(",")}`];
}

/** Number of cached annotations: rows of a kind mostly have the same few. */
const KEPT_NOTES = 500;

export const readNote = memo(KEPT_NOTES, (note): OwnColumns => {
  const words = note
    .split(" ")
    .filter(Boolean)
    .map((word): [string, "whole" | Set<string>] => {
      const [name = "", keys] = word.split(":");
      return [name, keys === undefined ? "whole" : new Set(keys.split(",").map(unescaped))];
    });
  return new Map(words);
});

/** The note in a live row. */
export function noteIn(live: LiveRow): string | undefined {
  const ids = live.external_ids;
  return ids instanceof Map ? (ids.get(COLUMNS_KEY) as string | undefined) : undefined;
}

/** A key that another writer has put into a note may not be escaped. */
function unescaped(key: string): string {
  try {
    return decodeURIComponent(key);
  } catch {
    return key;
  }
}

/** Only what separates: keys are short words in practice, and may hold anything. */
function escape(key: string): string {
  return key.replace(/[%,: ]/g, encodeURIComponent);
}
