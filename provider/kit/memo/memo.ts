/** A function of objects that caches its values. */
export interface Memo<Key extends object, Value> {
  (object: Key): Value;
  /** Stores a value that the caller already has. */
  know(object: Key, value: Value): void;
}

/**
 * Memoizes a pure function of texts or of immutable objects. The value of an object is kept as long as the object. A call that throws or
 * returns undefined is repeated.
 *
 * @param most number of texts whose values are kept; one more deletes all of them, because deleting the oldest of thousands is slow
 */
export function memo<Value>(most: number, make: (text: string) => Value): (text: string) => Value;
export function memo<Key extends object, Value>(make: (object: Key) => Value): Memo<Key, Value>;
export function memo(...args: [most: number, make: (text: never) => unknown] | [make: (object: never) => unknown]): unknown {
  const [most, make] = args.length === 2 ? args : [0, args[0]];
  const [texts, objects] = [new Map<string, unknown>(), new WeakMap<object, unknown>()];
  const know = (key: string | object, value: unknown): void => {
    if (typeof key === "object") return void objects.set(key, value);
    if (texts.size >= most) texts.clear();
    texts.set(key, value);
  };
  const get = (key: string | object): unknown => {
    const before = typeof key === "object" ? objects.get(key) : texts.get(key);
    if (before !== undefined) return before;
    const value = make(key as never);
    if (value !== undefined) know(key, value);
    return value;
  };
  return Object.assign(get, { know });
}
