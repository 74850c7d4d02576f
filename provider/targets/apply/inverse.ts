import type { ColumnSchema, Condition, DatabaseSchema, Mutation, Operation, TableSchema, WireRow, WireValue } from "@pulumi-ovn/ovsdb-client";
import { isDefault, isFreeSet, isStrong, isUnlimited, pairsOf, referencesOf, sameValue, setOf, storedColumns, text, uuidsIn, without } from "./values";

/** A row before and after a transaction, with all its columns. Undefined: it does not exist. */
export interface RowImage {
  readonly table: string;
  readonly uuid: string;
  readonly before: WireRow | undefined;
  readonly after: WireRow | undefined;
}

/** Inverse of what a transaction does to one row. */
export interface RowInverse {
  readonly label: string;
  readonly uuid: string;
  /** UUIDs of rows of the same transaction whose inverses must be executed with this one, before it, unless they need this one, too. */
  readonly needs: readonly string[];
  /** Fail if another writer changed the row since. */
  readonly guards: readonly Operation[];
  readonly operations: readonly Operation[];
}

/**
 * Pure. Inverses of a transaction, one for each changed row. Executed last to first they restore the rows, with their UUIDs. The inverse of a
 * created or deleted row changes the sets of other rows that it is in.
 */
export function inverseOf(schema: DatabaseSchema, images: readonly RowImage[]): RowInverse[] {
  const made = createdAndDeleted(images);
  const references = Map.groupBy(referencesToMade(schema, images, made), ({ to }) => to);
  const inverses = images.flatMap((image): RowInverse[] => {
    const { uuid } = image;
    const parts = partsOf(schema.table(image.table), image, made, references.get(uuid) ?? []);
    return parts ? [{ label: labelOf(image), uuid, ...parts }] : [];
  });
  return inDeletionOrder(inverses);
}

interface Made {
  readonly created: ReadonlySet<string>;
  readonly deleted: ReadonlySet<string>;
}

function createdAndDeleted(images: readonly RowImage[]): Made {
  const uuids = (some: (image: RowImage) => boolean) => new Set(images.filter(some).map(({ uuid }) => uuid));
  return {
    created: uuids(({ before, after }) => before === undefined && after !== undefined),
    deleted: uuids(({ before, after }) => before !== undefined && after === undefined),
  };
}

/** A reference of a row to a created row, after the transaction, or to a deleted one, before it. */
interface Reference {
  readonly table: string;
  readonly uuid: string;
  readonly column: ColumnSchema;
  readonly to: string;
}

function referencesToMade(schema: DatabaseSchema, images: readonly RowImage[], { created, deleted }: Made): Reference[] {
  return images.flatMap(({ table, uuid, before, after }) =>
    storedColumns(schema.table(table))
      .filter(isStrong)
      .flatMap((column) => {
        const ends = [
          ...uuidsIn(after?.[column.name]).filter((each) => created.has(each)),
          ...uuidsIn(before?.[column.name]).filter((each) => deleted.has(each)),
        ];
        return ends.map((to) => ({ table, uuid, column, to }));
      }),
  );
}

function partsOf(table: TableSchema, { uuid, before, after }: RowImage, made: Made, references: readonly Reference[]): Parts | undefined {
  const { created, deleted } = made;
  if (before === undefined && after === undefined) return undefined;
  if (before === undefined || after === undefined) {
    // A row that does not exist before the inverses are executed comes with its sets.
    const sets = references.filter((each) => isFreeSet(each.column) && !deleted.has(each.uuid));
    const holders = references.filter(({ column }) => !isFreeSet(column)).map((each) => each.uuid);
    const parts = after === undefined ? insertion(table, uuid, before!, deleted, sets) : deletion(table, uuid, after, created, sets);
    return { ...parts, needs: [...parts.needs, ...holders] };
  }
  const changes = changesOf(table, before, after, made);
  if (changes.length === 0) return undefined;
  const concerned = changes.filter(({ column }) => isStrong(column)).flatMap((change) => [...uuidsIn(change.before), ...uuidsIn(change.after)]);
  return { ...reversal(table, uuid, changes), needs: concerned.filter((each) => created.has(each) || deleted.has(each)) };
}

/** A row whose deletion needs another one's is deleted after it, so it is first here. */
function inDeletionOrder(inverses: readonly RowInverse[]): RowInverse[] {
  const byUuid = new Map(inverses.map((inverse) => [inverse.uuid, inverse]));
  const done = new Set<string>();
  const order: RowInverse[] = [];
  const visit = (inverse: RowInverse): void => {
    if (done.has(inverse.uuid)) return;
    done.add(inverse.uuid);
    for (const uuid of inverse.needs) if (byUuid.has(uuid)) visit(byUuid.get(uuid)!);
    order.push(inverse);
  };
  for (const inverse of inverses.toReversed()) visit(inverse);
  return order.toReversed();
}

/** Pure. `wait` operations that fail if the rows are not as in `before`, as far as their inverses depend on it. */
export function beforeGuards(schema: DatabaseSchema, images: readonly RowImage[]): Operation[] {
  return images.flatMap(({ table: name, uuid, before, after }) => {
    const table = schema.table(name);
    if (before === undefined) return [];
    const columns = after === undefined ? storedColumns(table) : changesOf(table, before, after).map(({ column }) => column);
    // Elements of unlimited sets and keys of maps are merged, so others' changes do not matter.
    const whole = after === undefined ? columns : columns.filter((column) => !column.isMap && !isUnlimited(column));
    if (whole.length === 0) return [];
    return [waitFor(name, uuid, Object.fromEntries(whole.map(({ name: column }) => [column, before[column]!])))];
  });
}

interface Change {
  readonly column: ColumnSchema;
  readonly before: WireValue;
  readonly after: WireValue;
}

type Parts = Pick<RowInverse, "guards" | "operations" | "needs">;

const isUuid = (uuid: string): Condition => ["_uuid", "==", ["uuid", uuid]];

/** The row exists and meets the conditions. */
function exists(table: string, uuid: string, conditions: readonly Condition[]): Operation {
  return { op: "wait", table, where: [isUuid(uuid), ...conditions], columns: ["_uuid"], until: "!=", rows: [], timeout: 0 };
}

function waitFor(table: string, uuid: string, row: WireRow): Operation {
  return { op: "wait", table, where: [isUuid(uuid)], columns: Object.keys(row), until: "==", rows: [row], timeout: 0 };
}

/** Columns that switches and controllers write have their defaults in a new row: only what this transaction wrote is compared. */
function deletion(table: TableSchema, uuid: string, after: WireRow, created: ReadonlySet<string>, sets: readonly Reference[]): Parts {
  const conditions = storedColumns(table).flatMap((column): Condition[] => {
    const value = after[column.name]!;
    // Rows of the same transaction have left the set by then. Rows that others put into it would be deleted with it.
    if (isFreeSet(column)) return [[column.name, "==", setOf(uuidsIn(value).filter((each) => !created.has(each)))]];
    return isDefault(value) ? [] : [[column.name, column.isMap ? "includes" : "==", value]];
  });
  return {
    needs: referencesOf(table, after).filter((each) => created.has(each) && each !== uuid),
    guards: [exists(table.name, uuid, conditions)],
    operations: [{ op: "delete", table: table.name, where: [isUuid(uuid)] }, ...sets.map((set) => setMutation(set, "delete", uuid))],
  };
}

function insertion(table: TableSchema, uuid: string, before: WireRow, deleted: ReadonlySet<string>, sets: readonly Reference[]): Parts {
  const row = Object.fromEntries(storedColumns(table).flatMap(({ name }) => (isDefault(before[name]) ? [] : [[name, before[name]!]])));
  return {
    needs: referencesOf(table, before).filter((each) => deleted.has(each) && each !== uuid),
    guards: [
      { op: "wait", table: table.name, where: [isUuid(uuid)], columns: ["_uuid"], until: "==", rows: [], timeout: 0 },
      ...sets.map((set) => exists(set.table, set.uuid, [])),
    ],
    operations: [{ op: "insert", table: table.name, uuid, row }, ...sets.map((set) => setMutation(set, "insert", uuid))],
  };
}

function setMutation({ table, uuid, column }: Reference, mutator: "insert" | "delete", row: string): Operation {
  return { op: "mutate", table, where: [isUuid(uuid)], mutations: [[column.name, mutator, setOf([row])]] };
}

function reversal(table: TableSchema, uuid: string, changes: readonly Change[]): Omit<Parts, "needs"> {
  const conditions: Condition[] = [];
  const values: Record<string, WireValue> = {};
  const mutations: Mutation[] = [];
  for (const { column, before, after } of changes) {
    const { name } = column;
    if (column.isMap) {
      const [had, has] = [pairsOf(before), pairsOf(after)];
      const written = has.filter(([key, value]) => !had.some((pair) => text(pair) === text([key, value])));
      const lost = had.filter(([key, value]) => !has.some((pair) => text(pair) === text([key, value])));
      if (written.length > 0) {
        conditions.push([name, "includes", ["map", written]]);
        mutations.push([name, "delete", ["set", written.map(([key]) => key)]]);
      }
      if (lost.length > 0) mutations.push([name, "insert", ["map", lost]]);
    } else if (isUnlimited(column)) {
      const [added, removed] = [without(after, before), without(before, after)];
      // Elements are added before others are removed: a set may have to hold some.
      if (removed.length > 0) mutations.push([name, "insert", ["set", removed]]);
      if (added.length > 0) {
        conditions.push([name, "includes", ["set", added]]);
        mutations.push([name, "delete", ["set", added]]);
      }
    } else {
      conditions.push([name, "==", after]);
      values[name] = before;
    }
  }
  const where = [isUuid(uuid)];
  return {
    guards: [exists(table.name, uuid, conditions)],
    operations: [
      ...(Object.keys(values).length > 0 ? [{ op: "update", table: table.name, where, row: values } as const] : []),
      ...(mutations.length > 0 ? [{ op: "mutate", table: table.name, where, mutations } as const] : []),
    ],
  };
}

const NOTHING_MADE: Made = { created: new Set(), deleted: new Set() };

/** @param made rows whose own inverses change the sets that they are in */
function changesOf(table: TableSchema, before: WireRow, after: WireRow, { created, deleted }: Made = NOTHING_MADE): Change[] {
  return storedColumns(table).flatMap((column) => {
    let [was, is] = [before[column.name]!, after[column.name]!];
    if (isFreeSet(column)) {
      was = setOf(uuidsIn(was).filter((each) => !deleted.has(each)));
      is = setOf(uuidsIn(is).filter((each) => !created.has(each)));
    }
    return sameValue(was, is) ? [] : [{ column, before: was, after: is }];
  });
}

function labelOf({ table, uuid, before, after }: RowImage): string {
  const { name } = after ?? before!;
  return `${table} ${typeof name === "string" && name !== "" ? name : uuid}`;
}
