import { byObject } from "./memo";

const known = new WeakSet<object>();

/** The value, frozen with everything in it, for good: what was made of it is never out of date. Of plain JSON and big integers. */
export function lasting<Value>(value: Value): Value {
  if (typeof value !== "object" || value === null || known.has(value)) return value;
  Object.values(value).forEach(lasting);
  known.add(Object.freeze(value));
  return value;
}

/** Whether this module has frozen it. What somebody else froze may hold what changes. */
export function isLasting(value: unknown): value is object {
  return typeof value === "object" && value !== null && known.has(value);
}

/**
 * A pure function that makes its value, which lasts as well, once for each lasting object and text, and each time for other objects:
 * the entries of a list that all zones share come with every zone, and zones make the same of most of them.
 */
export function onceForEach<Key extends object, Value>(make: (object: Key, text: string) => Value): (object: Key, text: string) => Value {
  const kept = byObject((_object: Key) => new Map<string, Value>());
  return (object, text) => {
    if (!isLasting(object)) return make(object, text);
    const before = kept(object).get(text);
    if (before !== undefined) return before;
    const value = lasting(make(object, text));
    kept(object).set(text, value);
    return value;
  };
}
