import {
  type CallOptions,
  type Condition,
  type DatabaseSchema,
  type Operation,
  OperationError,
  type OvsdbClient,
  type WireRow,
} from "@pulumi-ovn/ovsdb-client";
import { uuidIn } from "../select";
import type { RowImage } from "./inverse";
import { isStrong, elementsOf } from "./values";

type Reference = readonly [table: string, uuid: string];

const keyOf = ([table, uuid]: Reference): string => `${table} ${uuid}`;
const whole = (table: string, where: readonly Condition[]): Operation => ({ op: "select", table, where });
const isRow = (uuid: string): Condition => ["_uuid", "==", ["uuid", uuid]];

/**
 * Rows that a transaction changes, before and after it, from a dry run that the server aborts. Includes rows that lose a weak reference
 * and rows that nothing references any more. Throws the transaction's own OperationError if it fails.
 */
export async function imagesOf(
  client: OvsdbClient,
  schema: DatabaseSchema,
  operations: readonly Operation[],
  options: CallOptions | undefined,
): Promise<RowImage[]> {
  const touched = new Map<string, Reference>();
  for (const operation of operations) for (const row of named(operation)) touched.set(keyOf(row), row);
  const searched = operations.flatMap((operation) => (isWrite(operation) && isSearch(operation) ? [whole(operation.table, operation.where)] : []));
  for (const [table, rows] of await selected(client, searched, options)) for (const row of rows) touched.set(keyOf([table, uuidIn(row)]), [table, uuidIn(row)]);
  for (;;) {
    const { images, referenced } = await dryRun(client, schema, operations, [...touched.values()], options);
    const more = [...(await referrers(client, schema, images, options)), ...orphans(schema, images, referenced)].filter((row) => !touched.has(keyOf(row)));
    if (more.length === 0) return images;
    for (const row of more) touched.set(keyOf(row), row);
  }
}

/** Rows that an operation names by UUID. */
function named(operation: Operation): Reference[] {
  if (operation.op === "insert") return operation.uuid === undefined ? [] : [[operation.table, operation.uuid]];
  if (!isWrite(operation) || isSearch(operation)) return [];
  return operation.where.flatMap(([column, , value]) => (column === "_uuid" ? [[operation.table, (value as [string, string])[1]] as const] : []));
}

type Write = Extract<Operation, { readonly op: "update" | "mutate" | "delete" }>;

function isWrite(operation: Operation): operation is Write {
  return operation.op === "update" || operation.op === "mutate" || operation.op === "delete";
}

function isSearch(operation: Write): boolean {
  return !operation.where.some(([column, relation]) => column === "_uuid" && relation === "==");
}

async function selected(
  client: OvsdbClient,
  selects: readonly Operation[],
  options: CallOptions | undefined,
): Promise<(readonly [table: string, rows: readonly WireRow[]])[]> {
  if (selects.length === 0) return [];
  const results = await client.transact(selects, options);
  return results.map((result, index) => [(selects[index] as Write).table, result.rows ?? []] as const);
}

interface DryRun {
  readonly images: RowImage[];
  /** UUIDs of touched rows that a row outside of them still references afterwards. */
  readonly referenced: ReadonlySet<string>;
}

/** One round trip: rows before, the operations, rows after and the references to them, and an abort. */
async function dryRun(
  client: OvsdbClient,
  schema: DatabaseSchema,
  operations: readonly Operation[],
  rows: readonly Reference[],
  options: CallOptions | undefined,
): Promise<DryRun> {
  const reads = rows.map(([table, uuid]) => whole(table, [isRow(uuid)]));
  const references = rows.flatMap(([table, uuid]) =>
    holdingColumns(schema, table, true).map(
      ([parent, column]) =>
        [uuid, { op: "select", table: parent, where: [[column, "includes", ["set", [["uuid", uuid]]]]], columns: ["_uuid"] } as Operation] as const,
    ),
  );
  const all: Operation[] = [...reads, ...operations, ...reads, ...references.map(([, operation]) => operation), { op: "abort" }];
  const results = await aborted(client, all, reads.length, operations.length, options);
  const rowAt = (index: number) => (results[index] as { rows?: readonly WireRow[] } | undefined)?.rows?.[0];
  const after = reads.length + operations.length;
  const referenced = new Set(
    references.flatMap(([uuid], index) => ((results[after + reads.length + index] as { rows: readonly unknown[] }).rows.length > 0 ? [uuid] : [])),
  );
  const images = rows.map(([table, uuid], index): RowImage => ({ table, uuid, before: rowAt(index), after: rowAt(after + index) }));
  return { images: images.map((image) => committed(schema, image, images, referenced)), referenced: referenced };
}

async function aborted(
  client: OvsdbClient,
  all: readonly Operation[],
  first: number,
  count: number,
  options: CallOptions | undefined,
): Promise<readonly unknown[]> {
  try {
    return await client.transact(all, options);
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    const { operationIndex: at, results } = error;
    if (at === all.length - 1) return results;
    if (typeof at !== "number" || at < first || at >= first + count) throw error;
    throw shifted(error, -first);
  }
}

/** The error as the caller's own operations have it. */
export function shifted(error: OperationError, by: number): OperationError {
  const { operationIndex: at } = error;
  if (typeof at !== "number") return error;
  const moved = new OperationError(
    { error: error.error, details: error.details, operationIndex: at + by, operation: error.operation, results: error.results, hint: error.hint },
    {},
  );
  return Object.assign(moved, { endpoint: error.endpoint });
}

/** A commit deletes unreferenced rows and drops weak references to deleted rows, which a select in the transaction does not show yet. */
function committed(schema: DatabaseSchema, image: RowImage, all: readonly RowImage[], referenced: ReadonlySet<string>): RowImage {
  const { table: name, after, uuid } = image;
  if (!after) return image;
  const table = schema.table(name);
  if (!table.isRoot && !referenced.has(uuid)) return { ...image, after: undefined };
  const deleted = new Set(all.flatMap((other) => (other.before && !other.after ? [other.uuid] : [])));
  const weak = [...table.columns.values()].filter((column) => column.type.key.refType === "weak" && !column.isMap);
  const remaining = Object.fromEntries(
    weak.flatMap((column) => {
      const elements = elementsOf(after[column.name]!);
      const rest = elements.filter((element) => !deleted.has(String((element as readonly unknown[])[1])));
      return rest.length === elements.length ? [] : [[column.name, ["set", rest] as const]];
    }),
  );
  return { ...image, after: { ...after, ...(remaining as WireRow) } };
}

/** Rows elsewhere that weakly reference deleted rows. */
async function referrers(client: OvsdbClient, schema: DatabaseSchema, images: readonly RowImage[], options: CallOptions | undefined): Promise<Reference[]> {
  const deleted = images.filter(({ before, after }) => before !== undefined && after === undefined);
  const selects = deleted.flatMap(({ table, uuid }) =>
    holdingColumns(schema, table, false).map(([parent, column]): Operation => whole(parent, [[column, "includes", ["set", [["uuid", uuid]]]]])),
  );
  const referring = await selected(client, selects, options);
  return referring.flatMap(([table, rows]) => rows.map((row): Reference => [table, uuidIn(row)]));
}

/** Rows of non-root tables that a changed or deleted row no longer references: the server deletes those without another reference. */
function orphans(schema: DatabaseSchema, images: readonly RowImage[], referenced: ReadonlySet<string>): Reference[] {
  return images.flatMap(({ table: name, before, after }) => {
    if (!before) return [];
    return [...schema.table(name).columns.values()].filter(isStrong).flatMap((column) => {
      const { refTable } = column.type.key;
      if (column.isMap || schema.table(refTable!).isRoot) return [];
      const remaining = new Set(elementsOf(after?.[column.name]).map((element) => JSON.stringify(element)));
      return elementsOf(before[column.name]).flatMap((element): Reference[] => {
        const uuid = String((element as readonly unknown[])[1]);
        return remaining.has(JSON.stringify(element)) || referenced.has(uuid) ? [] : [[refTable!, uuid]];
      });
    });
  });
}

/** Columns of all tables that reference rows of a table. */
function holdingColumns(schema: DatabaseSchema, table: string, strong: boolean): Reference[] {
  return [...schema.tables.values()].flatMap((parent) =>
    [...parent.columns.values()]
      .filter((column) => column.type.key.refTable === table && !column.isMap && isStrong(column) === strong)
      .map((column): Reference => [parent.name, column.name]),
  );
}
