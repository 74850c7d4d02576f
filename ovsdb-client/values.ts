/**
 * Values as a program uses them. UUIDs are strings; integers beyond 2^53 are bigint; an empty optional column is null; a set is an array and a
 * map a Map, both in ovsdb-server's order.
 */
export type Atom = string | number | bigint | boolean;
export type Value = Atom | readonly Atom[] | ReadonlyMap<Atom, Atom> | null;
export type Row = Record<string, Value>;

/** Reference to a row that the same transaction inserts with this `uuid-name` (RFC 7047 section 5.1). */
export class NamedUuid {
  constructor(readonly name: string) {
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) throw new TypeError(`${JSON.stringify(name)} is not an <id> of RFC 7047`);
  }
}

export type WritableAtom = Atom | NamedUuid;
/** Value that may be written: a set may also be a Set or a single element, a map a plain object. */
export type WritableValue =
  | WritableAtom
  | readonly WritableAtom[]
  | ReadonlySet<WritableAtom>
  | ReadonlyMap<WritableAtom, WritableAtom>
  | { readonly [key: string]: WritableAtom }
  | null;
