import { type Operation, OperationError, type OvsdbClient, type WireRow } from "@pulumi-ovn/ovsdb-client";
import type { DatabaseName } from "../database";
import { rowsOf, select } from "../select";
import { PART, type StoredPart, partIn } from "./part";

/** Identifier of the apply that a `pulumi up` belongs to. Its writes are recorded with their inverses. */
export const APPLY_VARIABLE = "PULUMI_OVN_APPLY";

/** Tables with one row, whose `external_ids` contain the record of a pending apply. */
const ROOTS: Readonly<Record<DatabaseName, string>> = { OVN_Northbound: "NB_Global", OVN_Southbound: "SB_Global", Open_vSwitch: "Open_vSwitch" };

export const rootTable = (database: DatabaseName): string => ROOTS[database];

/** Has one fixed value, so that a `wait` operation can test it: conditions on maps compare pairs, not keys. */
const PENDING = "pulumi-ovn:pending";
const ID = "pulumi-ovn:apply";
const PHASE = "pulumi-ovn:apply-phase";
const FACTS = "pulumi-ovn:apply-facts";
/** Set by an undo before its first step: further writes of the apply are refused. */
const ENDING = "pulumi-ovn:apply-ending";
const UNDO = "pulumi-ovn:undo/";
const SKIPPED = "pulumi-ovn:apply-kept";
const SKIPPED_PARTS = "pulumi-ovn:apply-kept-parts";

/** `pending`: can be confirmed, and is undone at its deadline. `undone`: rows are as before, the state is not. */
export type Phase = "pending" | "undone";

export interface ApplyFacts {
  /** `PROJECT/STACK` */
  readonly stack: string;
  /** `USER@HOST` of the command. */
  readonly by: string;
  /** ISO 8601, by the clock of the command. */
  readonly deadline: string;
  /** Where the timer is, for people. */
  readonly timer: string;
}

/** Pending apply of one database. */
export interface ApplyRecord extends ApplyFacts {
  readonly id: string;
  readonly phase: Phase;
  /** Inverses in the order in which the changes were made. */
  readonly undo: readonly StoredInverse[];
  /** Flows and files of the database's host. */
  readonly parts: readonly StoredPart[];
  /** Rows, flows and files that were not undone, because another writer changed them. */
  readonly kept: readonly string[];
}

/** Inverse of the change of one row. */
export interface StoredInverse {
  /** Key of `external_ids`; sorts in the order of the changes. */
  readonly key: string;
  readonly label: string;
  /** Keys of inverses that must be executed in the same transaction. */
  readonly needs: readonly string[];
  /** `wait` operations that fail if another writer changed the row. */
  readonly guards: readonly Operation[];
  readonly operations: readonly Operation[];
}

/** Whether a key of `external_ids` belongs to the record of an apply. */
export const isRecordKey = (key: string): boolean =>
  [PENDING, ID, PHASE, FACTS, ENDING, SKIPPED, SKIPPED_PARTS].includes(key) || key.startsWith(UNDO) || key.startsWith(PART);

const encode = (text: string): string => Buffer.from(text).toString("base64");
const decode = (text: string): string => Buffer.from(text, "base64").toString();
/** Operations without brackets, so that a shell can join them. */
const encodeAll = (operations: readonly Operation[]): string => encode(JSON.stringify(operations).slice(1, -1));
const parsed = (text: string): Operation[] => JSON.parse(`[${decode(text)}]`) as Operation[];

/** Key of an inverse: transactions count up, and their rows in reverse order of undoing. */
export const undoKey = (transaction: number, row: number): string => `${UNDO}${String(transaction).padStart(6, "0")}/${String(row).padStart(5, "0")}`;

/** Fields in a form that a shell can read: `undo-script.ts` does. */
const text = ({ label, needs, guards, operations }: StoredInverse): string =>
  [
    encode(label),
    needs.map((key) => key.slice(UNDO.length)).join(","),
    guards.length + operations.length,
    encodeAll([...guards, ...operations]),
    guards.length,
  ].join(".");

function inverseIn(key: string, value: string): StoredInverse {
  const [label = "", needs = "", , operations = "", guards] = value.split(".");
  const all = parsed(operations);
  const keys = needs.split(",").filter(Boolean);
  return { key, label: decode(label), needs: keys.map((each) => UNDO + each), guards: all.slice(0, Number(guards)), operations: all.slice(Number(guards)) };
}

type Pair = readonly [key: string, value: string];

const insert = (database: DatabaseName, pairs: readonly Pair[]): Operation => ({
  op: "mutate",
  table: rootTable(database),
  where: [],
  mutations: [["external_ids", "insert", ["map", pairs]]],
});

const remove = (database: DatabaseName, keys: readonly string[]): Operation => ({
  op: "mutate",
  table: rootTable(database),
  where: [],
  mutations: [["external_ids", "delete", ["set", keys]]],
});

/** Fails unless `until` holds for the root row with (and without) these pairs. */
function guard(database: DatabaseName, until: "==" | "!=", includes: readonly Pair[], excludes: readonly Pair[] = []): Operation {
  const where = [
    ["external_ids", "includes", ["map", includes]] as const,
    ...(excludes.length > 0 ? [["external_ids", "excludes", ["map", excludes]] as const] : []),
  ];
  return { op: "wait", table: rootTable(database), where, columns: ["_uuid"], until, rows: [], timeout: 0 };
}

/** Fails while any apply is pending. */
export const noApplyGuard = (database: DatabaseName): Operation => guard(database, "==", [[PENDING, "yes"]]);

/** Fails unless this apply is in this phase. */
export const applyGuard = (database: DatabaseName, id: string, phase: Phase): Operation =>
  guard(database, "!=", [
    [ID, id],
    [PHASE, phase],
  ]);

/** Fails unless this apply is pending and no undo of it is in progress. */
export const openGuard = (database: DatabaseName, id: string): Operation =>
  guard(
    database,
    "!=",
    [
      [ID, id],
      [PHASE, "pending"],
    ],
    [[ENDING, "yes"]],
  );

/** Refuses further writes of an apply. */
export const endWrites = (database: DatabaseName): Operation => insert(database, [[ENDING, "yes"]]);

/** Transacts if a guard holds. Returns the refusal if it does not: then nothing is changed. */
export async function transactIf(client: OvsdbClient, condition: Operation, operations: readonly Operation[]): Promise<OperationError | undefined> {
  try {
    await client.transact([condition, ...operations]);
    return undefined;
  } catch (error) {
    if (error instanceof OperationError && error.operationIndex === 0) return error;
    throw error;
  }
}

/** Makes an apply pending, without inverses. */
export const markPending = (database: DatabaseName, id: string, facts: ApplyFacts): Operation =>
  insert(database, [
    [PENDING, "yes"],
    [ID, id],
    [PHASE, "pending"],
    [FACTS, encode(JSON.stringify(facts))],
  ]);

/** Appends inverses to the record, in the transaction that makes the changes. */
export const append = (database: DatabaseName, inverses: readonly StoredInverse[]): Operation =>
  insert(
    database,
    inverses.map((inverse): Pair => [inverse.key, text(inverse)]),
  );

/** Removes the inverses. */
export const markRowsUndone = (database: DatabaseName, executed: readonly string[], kept: readonly string[]): Operation[] => [
  remove(database, executed),
  insert(database, noteOf(SKIPPED, kept)),
];

/** Removes the inverses, and marks the apply as undone. */
export const markUndone = (database: DatabaseName, executed: readonly string[], kept: readonly string[]): Operation[] => [
  remove(database, [...executed, PHASE]),
  insert(database, [[PHASE, "undone"], ...noteOf(SKIPPED, kept)]),
];

/** Removes the parts, and marks the apply as undone. */
export const markPartsUndone = (database: DatabaseName, parts: readonly StoredPart[], kept: readonly string[]): Operation[] => [
  remove(database, [...parts.map(keyOf), PHASE]),
  insert(database, [[PHASE, "undone"], ...noteOf(SKIPPED_PARTS, kept)]),
];

const noteOf = (key: string, labels: readonly string[]): Pair[] => (labels.length === 0 ? [] : [[key, labels.map(encode).join(",")]]);
const labelsIn = (note: string | undefined): string[] => (note === undefined ? [] : note.split(",").map(decode));

const keyOf = ({ name }: StoredPart): string => PART + name;

/** Replaces parts. */
export const putParts = (database: DatabaseName, parts: readonly StoredPart[]): Operation[] => [
  remove(database, parts.map(keyOf)),
  insert(
    database,
    parts.map((part): Pair => [keyOf(part), part.value]),
  ),
];

/** Removes the whole record. */
export const clear = (database: DatabaseName, { undo, parts }: Pick<ApplyRecord, "undo" | "parts">): Operation =>
  remove(database, [PENDING, ID, PHASE, FACTS, ENDING, SKIPPED, SKIPPED_PARTS, ...undo.map(({ key }) => key), ...parts.map(keyOf)]);

/** The pending apply of a database. Undefined without one. */
export async function readRecord(client: OvsdbClient, database: DatabaseName): Promise<ApplyRecord | undefined> {
  const [result] = await client.transact([select(rootTable(database), [], ["external_ids"])]);
  return recordIn(rowsOf(result)[0]);
}

function recordIn(row: WireRow | undefined): ApplyRecord | undefined {
  const [, pairs] = (row?.external_ids ?? ["map", []]) as readonly ["map", readonly Pair[]];
  const all = new Map(pairs);
  const [id, phase, facts] = [all.get(ID), all.get(PHASE), all.get(FACTS)];
  if (id === undefined || phase === undefined || facts === undefined) return undefined;
  const sorted = pairs.toSorted(([a], [b]) => (a < b ? -1 : 1));
  return {
    ...(JSON.parse(decode(facts)) as ApplyFacts),
    id,
    phase: phase as Phase,
    undo: sorted.flatMap(([key, value]) => (key.startsWith(UNDO) ? [inverseIn(key, value)] : [])),
    parts: sorted.flatMap(([key, value]) => (key.startsWith(PART) ? [partIn(key, value)] : [])),
    kept: [SKIPPED, SKIPPED_PARTS].flatMap((key) => labelsIn(all.get(key))),
  };
}
