/**
 * The language every renderer speaks: which rows must exist in ONE database.
 *
 * Values are plain JSON, so that a row set can be compared, hashed and shown. A renderer returns the
 * columns that it owns; columns it leaves out are the database's (or somebody else's) business.
 */

/** Databases that rows are written to. */
export type DatabaseName = "OVN_Northbound" | "OVN_Southbound" | "Open_vSwitch";

export type Atom = string | number | boolean;

/** A row of the same row set. */
export interface LocalReference {
  readonly table: string;
  readonly key: string;
}

/** A row that exists outside of this row set: by its UUID (cheap at any size), or by its unique name. */
export type ForeignReference = { readonly uuid: string } | { readonly name: string };

export type Reference = LocalReference | ForeignReference;

/**
 * - an atom or a reference: a scalar column
 * - `null`: an optional column that must be empty
 * - an array: a set; its order means nothing
 * - an object: a map. Only the keys named here are owned: keys that others add to the row stay.
 */
export type ColumnValue = Atom | Reference | null | readonly (Atom | Reference)[] | MapValue;

/** Marked as a map, because a reference is an object too. */
export interface MapValue {
  readonly map: Readonly<Record<string, Atom | Reference>>;
}

/** The set column of a parent row that must list this row (tables that are not root sets vanish otherwise). */
export interface Parent {
  readonly table: string;
  readonly row: Reference;
  readonly column: string;
}

/**
 * A value that no other row of `table` may hold, such as a datapath's tunnel key: the write is refused,
 * in the same transaction, when one does.
 */
export interface Claim {
  readonly table: string;
  readonly column: string;
  /** For a map column: the key; without it the whole column is compared. */
  readonly key?: string;
  readonly value: string;
}

export interface DesiredRow {
  readonly table: string;
  /**
   * What tells this row from others of its table in this resource, and stays the same for as long as the
   * row means the same thing. The row's UUID derives from it: changing how a key is built makes new rows.
   */
  readonly key: string;
  readonly columns: Readonly<Record<string, ColumnValue>>;
  readonly parent?: Parent;
  readonly claims?: readonly Claim[];
}

/** What the database must be able to do before the rows mean what they say. */
export interface Requirement {
  /** What needs it, in the reader's words: "remote ports of a transit router". */
  readonly feature: string;
  /** Lowest schema version, as `ovsdb-client get-schema-version` prints it. */
  readonly schema: string;
  /** The OVN release that brought it. */
  readonly release: string;
}

export interface RowSet {
  readonly database: DatabaseName;
  readonly rows: readonly DesiredRow[];
  readonly requires?: readonly Requirement[];
}
