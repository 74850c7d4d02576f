import type { DatabaseName } from "../../targets/database";
/**
 * Row sets: the rows that must exist in ONE database, as every renderer returns them.
 *
 * Values are plain JSON, so that a row set can be compared, hashed and shown. A renderer returns the columns that it owns; omitted columns
 * belong to the database or to other writers.
 */

export type Atom = string | number | boolean;

/** A row of the same row set. */
export interface LocalReference {
  readonly table: string;
  readonly key: string;
}

/**
 * A row that exists outside of this row set: by its UUID (cheap at any size), or by its unique name. The name "." means
 * the only row of its table, as in ovs-vsctl(8): `Open_vSwitch .`
 */
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
  /** The rows of one stack may share the value; its program is checked before it writes. Default: every other row is refused. */
  readonly betweenStacks?: true;
  /** The value in messages, with the path of its argument. Default: column and value. */
  readonly what?: string;
}

export interface DesiredRow {
  readonly table: string;
  /**
   * Identity of the row within its table and resource, constant while the row means the same. The row's UUID derives from it: another key format
   * creates new rows.
   */
  readonly key: string;
  readonly columns: Readonly<Record<string, ColumnValue>>;
  readonly parent?: Parent;
  readonly claims?: readonly Claim[];
  /** Entries of `external_ids` that claims of other rows refer to; see `CLAIM_MARK`. They are not shown, and not drift if they are missing. */
  readonly marks?: Readonly<Record<string, string>>;
  /** Rows that others put into this row, and that may go with it: ones with this entry in their `external_ids`. */
  readonly carries?: Carried;
  /** Resources of one kind, of this stack or of others, may have this row together. */
  readonly joint?: Joint;
}

/**
 * A row shared by several resources: the first one creates it, further ones add their marks, the last one deletes it. All must agree on its
 * values. Found by natural key, because its UUID may derive from another owner.
 */
export interface Joint {
  /** The row that this one is a part of, and that its users' marks are on. */
  readonly partOf?: LocalReference;
  /** Columns in which the word of the first one counts. */
  readonly firstDecides?: readonly string[];
}

/** Rows that a daemon makes by itself and makes again when needed, such as ovn-controller's patch ports on a bridge. */
export interface Carried {
  readonly table: string;
  /** Entry of `external_ids` by which the daemon marks them. */
  readonly key: string;
  readonly value: string;
}

/**
 * An entry in a column of a foreign row: added with guards against other writers, and removed by itself. A key in the row's `external_ids` names
 * its owner, so existing entries stay, and entries of another resource are refused.
 */
export interface Contribution {
  readonly table: string;
  /** The row of others; its table has a column `external_ids`. */
  readonly row: ForeignReference;
  readonly column: string;
  readonly part: SetElement | MapEntry | ListItem;
}

/** An element of a set column. */
export interface SetElement {
  readonly kind: "element";
  readonly element: Atom | Reference;
}

/** A key of a map column. */
export interface MapEntry {
  readonly kind: "entry";
  readonly key: string;
  readonly value: string;
}

/** An item `name:value` of a comma-separated list that is the value of a map's key, such as `ovn-bridge-mappings`; a name occurs once. */
export interface ListItem {
  readonly kind: "item";
  readonly key: string;
  readonly name: string;
  readonly value: string;
}

/** Feature of the database that the rows need. */
export interface Requirement {
  /** Name of the feature for readers: "remote ports of a transit router". */
  readonly feature: string;
  /** Lowest schema version, as `ovsdb-client get-schema-version` prints it. */
  readonly schema: string;
  /** The OVN release that brought it. */
  readonly release: string;
}

export interface RowSet {
  readonly database: DatabaseName;
  readonly rows: readonly DesiredRow[];
  /** Parts of rows of others. */
  readonly contributions?: readonly Contribution[];
  readonly requires?: readonly Requirement[];
}

/** A location in a row of others: an element of a set, a key of a map, or an item of the list that a key holds. */
export interface ContributionLocation {
  readonly column: string;
  /** Key of the map; undefined for an element of a set. */
  readonly key: string | undefined;
  /** Name in the list, or the element of the set; undefined for a whole map entry. */
  readonly name: string | undefined;
}
