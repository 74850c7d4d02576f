/** Caches results derived from objects, as long as the objects are the same. */
export class Memo<Value> {
  private readonly known = new WeakMap<object, { readonly from: readonly (object | undefined)[]; readonly value: Value }>();

  of(from: readonly [object, ...(object | undefined)[]], make: () => Value): Value {
    const known = this.known.get(from[0]);
    if (known?.from.length === from.length && known.from.every((row, at) => row === from[at])) return known.value;
    const value = make();
    this.known.set(from[0], { from, value });
    return value;
  }
}
