import { ValueError } from "../errors";
import type { Condition, Mutation, WireRow, WireUuid } from "../wire";

/** The operations of RFC 7047 section 5.2, as they go over the wire. */
export interface Insert {
  readonly op: "insert";
  readonly table: string;
  readonly row: WireRow;
  /** The new row's UUID (OVS 2.13): makes a create that is sent again after a lost reply harmless. */
  readonly uuid?: string;
  /** A name by which other operations of the transaction refer to the row. */
  readonly "uuid-name"?: string;
}

export interface Select {
  readonly op: "select";
  readonly table: string;
  readonly where: readonly Condition[];
  /** Default: all. Rows that are equal in these columns come once. */
  readonly columns?: readonly string[];
}

export interface Update {
  readonly op: "update";
  readonly table: string;
  readonly where: readonly Condition[];
  readonly row: WireRow;
}

export interface Mutate {
  readonly op: "mutate";
  readonly table: string;
  readonly where: readonly Condition[];
  readonly mutations: readonly Mutation[];
}

export interface Delete {
  readonly op: "delete";
  readonly table: string;
  readonly where: readonly Condition[];
}

export interface Wait {
  readonly op: "wait";
  /** Milliseconds; 0 checks once. Without it the server waits indefinitely: the call's timeout then ends the wait. */
  readonly timeout?: number;
  readonly table: string;
  readonly where: readonly Condition[];
  readonly columns?: readonly string[];
  readonly until: "==" | "!=";
  readonly rows: readonly WireRow[];
}

export interface Commit {
  readonly op: "commit";
  /** True: the reply comes when the transaction is on disk. */
  readonly durable: boolean;
}

export interface Abort {
  readonly op: "abort";
}

export interface Comment {
  readonly op: "comment";
  readonly comment: string;
}

export interface Assert {
  readonly op: "assert";
  /** The transaction fails with "not owner" unless this connection holds the lock. */
  readonly lock: string;
}

export type Operation = Insert | Select | Update | Mutate | Delete | Wait | Commit | Abort | Comment | Assert;

export interface InsertResult {
  readonly uuid: WireUuid;
}
export interface SelectResult {
  readonly rows: readonly WireRow[];
}
/** Rows that matched, changed or not. */
export interface CountResult {
  readonly count: number;
}
export type EmptyResult = Readonly<Record<string, never>>;

export interface OperationResult {
  readonly uuid?: WireUuid;
  readonly rows?: readonly WireRow[];
  readonly count?: number;
}

export type ResultOf<O extends Operation> = O extends Insert
  ? InsertResult
  : O extends Select
    ? SelectResult
    : O extends Update | Mutate | Delete
      ? CountResult
      : O extends Wait | Commit | Abort | Comment | Assert
        ? EmptyResult
        : OperationResult;

/** One result for each operation, in order; for a list of unknown length, what all results have in common. */
export type Results<T extends readonly Operation[]> = number extends T["length"] ? OperationResult[] : { -readonly [I in keyof T]: ResultOf<T[I]> };

/** Do these operations leave the database as it is? Then they may be sent again. */
export function writesNothing(operations: readonly Operation[]): boolean {
  return operations.every(({ op }) => op === "select" || op === "wait" || op === "comment");
}

/** Refuses values that are no operations: the server would refuse the whole request. */
export function checkOperations(operations: unknown): asserts operations is readonly Operation[] {
  if (!Array.isArray(operations)) throw new ValueError("operations", "a list was expected");
  for (let index = 0; index < operations.length; index++) {
    const operation = operations[index] as { op?: unknown } | null | undefined;
    if (typeof operation?.op !== "string") throw new ValueError(`operations[${index}]`, `an object with a text "op" was expected`);
  }
}
