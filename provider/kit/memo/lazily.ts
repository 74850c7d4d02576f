/** A table whose entries are made when they are first asked for, and then kept. Their names are known without that. */
export function lazily<Makers extends Readonly<Record<string, () => unknown>>>(makers: Makers): { readonly [Name in keyof Makers]: ReturnType<Makers[Name]> } {
  const table = {};
  for (const [name, make] of Object.entries(makers)) {
    let made: { readonly value: unknown } | undefined;
    Object.defineProperty(table, name, { get: () => (made ??= { value: make() }).value, enumerable: true, configurable: true });
  }
  return table as { readonly [Name in keyof Makers]: ReturnType<Makers[Name]> };
}
