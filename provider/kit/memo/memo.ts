/**
 * A pure function of texts that remembers what it made of the most recent ones; a text that it refuses, or of which it makes
 * nothing, is asked again.
 *
 * @param most as many are kept: those that were made last
 */
export function byText<Value>(most: number, make: (text: string) => Value): (text: string) => Value {
  const cache = new Map<string, Value>();
  return (text) => {
    const before = cache.get(text);
    if (before !== undefined) return before;
    const value = make(text);
    if (value === undefined) return value;
    if (cache.size >= most) cache.delete(cache.keys().next().value!);
    cache.set(text, value);
    return value;
  };
}

/**
 * A pure function of large values that remembers what it made of the most recent ones: to compare them with a few others takes
 * less than to make a text of each. One that it refuses is asked again.
 *
 * @param most as many are kept: those that were made last
 * @param same whether two come to the same
 */
export function byLikeness<Key, Value>(most: number, same: (one: Key, other: Key) => boolean, make: (key: Key) => Value): (key: Key) => Value {
  const cache: { readonly key: Key; readonly value: Value }[] = [];
  return (key) => {
    const before = cache.findLast((entry) => same(entry.key, key));
    if (before !== undefined) return before.value;
    const value = make(key);
    if (cache.length >= most) cache.shift();
    cache.push({ key, value });
    return value;
  };
}

/** A function of objects that remembers its values. */
export interface ByObject<Key extends object, Value> {
  (object: Key): Value;
  /** Stores a value that the caller already has. */
  know(object: Key, value: Value): void;
}

/** Memoizes a pure function of immutable objects, for the lifetime of each object. */
export function byObject<Key extends object, Value>(make: (object: Key) => Value): ByObject<Key, Value> {
  const cache = new WeakMap<Key, Value>();
  const get = (object: Key): Value => {
    const before = cache.get(object);
    if (before !== undefined) return before;
    const value = make(object);
    cache.set(object, value);
    return value;
  };
  return Object.assign(get, { know: (object: Key, value: Value) => void cache.set(object, value) });
}

/**
 * A pure function of the items of lists that remembers what it made of the list before: a list mostly comes again with few items
 * changed, and nothing is computed again for an item at the same position as before.
 *
 * @param make also gets what it made of the item at the same position before
 * @param same whether two come to the same
 */
export function byPlace<Item, Value>(
  make: (item: Item, before: Value | undefined) => Value,
  same: (one: Item, other: Item) => boolean = Object.is,
): (items: readonly Item[]) => readonly Value[] {
  let last: { readonly items: readonly Item[]; readonly values: readonly Value[] } = { items: [], values: [] };
  return (items) => {
    const { items: old, values: oldValues } = last;
    const values = items.map((item, index) => (index < old.length && same(item, old[index]!) ? oldValues[index]! : make(item, oldValues[index])));
    last = { items, values };
    return values;
  };
}

/** Number of texts that are joined together. */
const BLOCK = 100;

/**
 * `join` that remembers the texts of the list before, and what it made of them, as a whole and block by block: a list mostly comes
 * again with few texts changed.
 *
 * @param begin before the first of them
 */
export function joiner(separator: string, begin = ""): (texts: readonly (string | undefined)[]) => string {
  let last: { readonly blocks: readonly Block[]; readonly text: string } = { blocks: [], text: "" };
  return (texts) => {
    const blocks = Array.from({ length: Math.ceil(texts.length / BLOCK) }, (_, index): Block => {
      const own = texts.slice(index * BLOCK, (index + 1) * BLOCK);
      const previous = last.blocks[index];
      return previous?.texts.length === own.length && own.every((text, at) => text === previous.texts[at])
        ? previous
        : { texts: own, text: (index === 0 ? begin : "") + own.join(separator) };
    });
    if (blocks.length !== last.blocks.length || blocks.some((block, index) => block !== last.blocks[index]))
      last = { blocks, text: blocks.map(({ text }) => text).join(separator) };
    return last.text;
  };
}

interface Block {
  readonly texts: readonly (string | undefined)[];
  readonly text: string;
}
