/**
 * A pure function of texts that remembers what it made of the most recent ones; a text that it refuses, or of which it makes
 * nothing, is asked again.
 *
 * @param most as many are kept; then it begins from nothing
 */
export function byText<Value>(most: number, make: (text: string) => Value): (text: string) => Value {
  const known = new Map<string, Value>();
  return (text) => {
    const before = known.get(text);
    if (before !== undefined) return before;
    const value = make(text);
    if (value === undefined) return value;
    if (known.size >= most) known.clear();
    known.set(text, value);
    return value;
  };
}

/** A pure function of objects that nobody changes, which makes its value once for each, as long as that lives. */
export function byObject<Key extends object, Value>(make: (object: Key) => Value): (object: Key) => Value {
  const known = new WeakMap<Key, Value>();
  return (object) => {
    const before = known.get(object);
    if (before !== undefined) return before;
    const value = make(object);
    known.set(object, value);
    return value;
  };
}
