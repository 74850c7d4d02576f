import {
  OperationError,
  type Condition,
  type DatabaseSchema,
  type Mutation,
  type Operation,
  type OperationResult,
  type Row,
  type TableSchema,
  type Value,
  type WireRow,
  type WireValue,
} from "@pulumi-ovn/ovsdb-client";
import { canonical } from "@pulumi-ovn/provider/testing";
import { defaultValue } from "@pulumi-ovn/provider/tools";
import { type Contents, settle } from "./ovsdb-model-commit";

class Refused extends Error {
  constructor(
    readonly error: string,
    readonly details: string,
  ) {
    super(error);
  }
}

/**
 * An OVSDB server in memory: operations, garbage collection, references and indexes of RFC 7047, as far as the row
 * engine uses them. test/integration/rows/model.test.ts compares it with a real one.
 */
export class OvsdbModel {
  contents: Contents;

  constructor(readonly schema: DatabaseSchema) {
    this.contents = new Map([...schema.tables.keys()].map((name) => [name, new Map()]));
  }

  getSchema(): Promise<DatabaseSchema> {
    return Promise.resolve(this.schema);
  }

  transact(operations: readonly Operation[]): Promise<OperationResult[]> {
    return new Promise((resolve) => resolve(this.execute(operations)));
  }

  /** Throws an OperationError, as the client does; then nothing has changed. */
  execute(operations: readonly Operation[]): OperationResult[] {
    const work = new Work(this.schema, this.contents);
    const results = operations.map((operation, operationIndex) => attempt(() => work.run(operation), operationIndex, operation));
    this.contents = attempt(() => settle(this.schema, work.contents, this.contents, refuse), "commit", undefined);
    return results;
  }

  rows(table: string): [uuid: string, row: Row][] {
    return [...this.contents.get(table)!];
  }

  /** Everything that is not empty, in wire form, by table and UUID. */
  dump(): Record<string, Record<string, WireRow>> {
    const tables = [...this.contents].map(
      ([name, rows]) => [name, Object.fromEntries([...rows].map(([uuid, row]) => [uuid, shown(this.schema.table(name), row)]))] as const,
    );
    return Object.fromEntries(tables.filter(([, rows]) => Object.keys(rows).length > 0));
  }
}

function refuse(error: string, details: string): never {
  throw new Refused(error, details);
}

function attempt<T>(run: () => T, operationIndex: number | "commit", operation: Operation | undefined): T {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    throw new OperationError({ error: error.error, details: error.details, operationIndex, operation, results: [] });
  }
}

/** The row without what is empty; sets and maps sorted. */
export function shown(table: TableSchema, row: Row): WireRow {
  const columns = [...table.columns.values()].filter((column) => canonical(row[column.name]!) !== canonical(defaultValue(column)));
  return Object.fromEntries(columns.map((column) => [column.name, column.encode(sorted(row[column.name]!))]));
}

function sorted(value: Value): Value {
  if (value instanceof Map) return new Map([...value].sort(([a], [b]) => (String(a) < String(b) ? -1 : 1)));
  return Array.isArray(value) ? [...value].sort((a, b) => (String(a) < String(b) ? -1 : 1)) : value;
}

/** One transaction in progress. */
class Work {
  readonly contents: Map<string, Map<string, Row>>;

  constructor(
    private readonly schema: DatabaseSchema,
    private readonly before: Contents,
  ) {
    this.contents = new Map([...before].map(([name, rows]) => [name, new Map(rows)]));
  }

  run(operation: Operation): OperationResult {
    switch (operation.op) {
      case "insert":
        return this.#insert(operation.table, operation.uuid!, operation.row);
      case "select": {
        const table = this.schema.table(operation.table);
        const rows = this.#matching(operation.table, operation.where).map(([uuid, row]) => wire(table, uuid, row, operation.columns!));
        return { rows: [...new Map(rows.map((row) => [JSON.stringify(row), row])).values()] };
      }
      case "update":
        return this.#change(operation.table, operation.where, (table) => table.decodeRow(operation.row));
      case "mutate":
        return this.#change(operation.table, operation.where, (table, row) =>
          operation.mutations.reduce((changed, mutation) => ({ ...changed, ...mutated(table, { ...row, ...changed }, mutation) }), {} as Row),
        );
      case "delete": {
        const found = this.#matching(operation.table, operation.where);
        for (const [uuid] of found) this.contents.get(operation.table)!.delete(uuid);
        return { count: found.length };
      }
      case "wait": {
        const table = this.schema.table(operation.table);
        const columns = operation.columns!;
        const text = (uuid: string, row: Row) => columns.map((name) => (name === "_uuid" ? uuid : canonical(row[name]!))).join("\n");
        const live = new Set(this.#matching(operation.table, operation.where).map(([uuid, row]) => text(uuid, row)));
        const expected = new Set(operation.rows.map((row) => text("", { ...empty(table), ...table.decodeRow(row) })));
        const equal = live.size === expected.size && [...live].every((one) => expected.has(one));
        if (equal !== (operation.until === "==")) refuse("timed out", '"where" clause test failed');
        return {};
      }
      case "comment":
        return {};
      default:
        throw new Error(`the model does not know ${operation.op}`);
    }
  }

  #insert(name: string, uuid: string, row: WireRow): OperationResult {
    const table = this.schema.table(name);
    // One that the transaction has made and deleted leaves nothing.
    if (this.contents.get(name)!.has(uuid) || this.before.get(name)!.has(uuid))
      refuse("duplicate uuid", "This UUID would duplicate a UUID already present within the table or deleted within the same transaction.");
    this.contents.get(name)!.set(uuid, { ...empty(table), ...table.decodeRow(row) });
    return { uuid: ["uuid", uuid] };
  }

  #change(name: string, where: readonly Condition[], change: (table: TableSchema, row: Row) => Row): OperationResult {
    const table = this.schema.table(name);
    const found = this.#matching(name, where);
    for (const [uuid, row] of found) this.contents.get(name)!.set(uuid, { ...row, ...change(table, row) });
    return { count: found.length };
  }

  #matching(name: string, where: readonly Condition[]): [string, Row][] {
    const table = this.schema.table(name);
    return [...this.contents.get(name)!].filter(([uuid, row]) => where.every((condition) => holds(table, { ...row, _uuid: uuid }, condition)));
  }
}

function empty(table: TableSchema): Row {
  return Object.fromEntries([...table.columns.values()].map((column) => [column.name, defaultValue(column)]));
}

function wire(table: TableSchema, uuid: string, row: Row, columns: readonly string[]): WireRow {
  return Object.fromEntries(columns.map((name) => [name, name === "_uuid" ? ["uuid", uuid] : table.column(name).encode(row[name]!)]));
}

function decode(table: TableSchema, column: string, value: WireValue): Value {
  return table.decodeRow({ [column]: value })[column]!;
}

function texts(value: Value): Set<string> {
  if (value instanceof Map) return new Set([...value].map((pair) => JSON.stringify(pair.map(String))));
  return new Set(Array.isArray(value) ? value.map(String) : value === null ? [] : [String(value)]);
}

function holds(table: TableSchema, row: Row, [column, how, value]: Condition): boolean {
  const [left, right] = [texts(row[column]!), texts(decode(table, column, value))];
  const inside = [...right].filter((item) => left.has(item)).length;
  switch (how) {
    case "==":
      return left.size === right.size && inside === right.size;
    case "!=":
      return left.size !== right.size || inside !== right.size;
    case "includes":
      return inside === right.size;
    default:
      throw new Error(`the model does not know ${how}`);
  }
}

function mutated(table: TableSchema, row: Row, [column, mutator, value]: Mutation): Row {
  const live = row[column]!;
  if (live instanceof Map) {
    const map = new Map(live as ReadonlyMap<string, string>);
    // A map is also deleted from by a set of keys.
    if (Array.isArray(value) && value[0] === "set") for (const key of value[1] as string[]) map.delete(key);
    else {
      for (const [key, item] of decode(table, column, value) as ReadonlyMap<string, string>) {
        if (mutator === "insert" && !map.has(key)) map.set(key, item);
        else if (mutator !== "insert" && map.get(key) === item) map.delete(key);
      }
    }
    return { [column]: map };
  }
  const given = decode(table, column, value) as readonly string[];
  const members = live as readonly string[];
  return { [column]: mutator === "insert" ? [...new Set([...members, ...given])] : members.filter((member) => !given.includes(member)) };
}
