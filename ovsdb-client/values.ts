/**
 * Values as a program sees them. UUIDs are plain strings; integers beyond 2^53 are bigint; an empty optional
 * column is null; a set is an array and a map a Map, both in ovsdb-server's order, whatever the order that was sent.
 */
export type Atom = string | number | bigint | boolean;
export type Value = Atom | readonly Atom[] | ReadonlyMap<Atom, Atom> | null;
export type Row = Record<string, Value>;

/** Stands for the UUID of a row that the same transaction inserts with this `uuid-name` (RFC 7047 section 5.1). */
export class NamedUuid {
  constructor(readonly name: string) {
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) throw new TypeError(`${JSON.stringify(name)} is not an <id> of RFC 7047`);
  }
}

export type WritableAtom = Atom | NamedUuid;
/** What may be written: a set may also be a Set, a map a plain object, and a set of one element the element. */
export type WritableValue =
  | WritableAtom
  | readonly WritableAtom[]
  | ReadonlySet<WritableAtom>
  | ReadonlyMap<WritableAtom, WritableAtom>
  | { readonly [key: string]: WritableAtom }
  | null;
