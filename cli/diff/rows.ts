import {
  ALL_HIDDEN,
  contributionLines,
  type Outlook,
  readLines,
  readWord,
  rowLabel,
  rowWords,
  sameJson,
  setDigest,
  type Word,
} from "@pulumi-ovn/provider/tools";
import type { DesiredRow } from "@pulumi-ovn/provider";
import { renderedRows } from "../stack/rendering";
import type { Known, Row } from "./known";
import { isOfCluster, objectsFromArguments, objectsFromLines } from "./objects";
import type { State } from "../plan/preview";
import { whyUntold } from "../plan/untold";

const NOTHING: Known = { rows: new Map(), tables: new Map() };

/**
 * The rows of a resource before and after. From its arguments where these give the very rows that the preview has the
 * digest of, so row by row at any size; otherwise (drift after a refresh, another release) from the lines of the preview,
 * which past some size are counts.
 */
export function knownRows(urn: string, before: State | undefined, after: State | undefined): readonly [Known, Known] {
  const untold = (state: State | undefined) => state && whyUntold(state.inputs);
  const states = [before, after] as const;
  if (changedInSecret(before?.inputs, after?.inputs) || sameJson(outlookFor(before, after), ALL_HIDDEN)) return [{ untold: "secret" }, { untold: "secret" }];
  if (!states.some(untold)) {
    const rendered = states.map((state) => (state ? (isOfCluster(state) ? objectsFromArguments(state) : fromArguments(urn, state)) : NOTHING));
    if (rendered[0] && rendered[1]) return [rendered[0], rendered[1]];
  }
  const known = states.map((state): Known => {
    const why = untold(state);
    return why ? { untold: why } : state ? (isOfCluster(state) ? objectsFromLines(linesIn(state)) : fromLines(linesIn(state))) : NOTHING;
  });
  return [known[0]!, known[1]!];
}

/**
 * Adoption of existing rows by a resource that is new at its target, or replaced there. In other cases the state contains the adoption of
 * its own create, which is past.
 */
export function outlookFor(before: State | undefined, after: State | undefined, replaced = false): Outlook | undefined {
  return before && !replaced ? undefined : (after?.inputs.adoption as Outlook | undefined);
}

/** Values that differ and that people must not read. */
function changedInSecret(before: State["inputs"] = {}, after: State["inputs"] = {}): boolean {
  return after.redact !== undefined && before.redact !== undefined && before.digest !== after.digest && sameJson(before.rows, after.rows);
}

function fromArguments(urn: string, { type, inputs }: State): Known | undefined {
  try {
    const set = renderedRows({ urn, type, parent: "", inputs });
    if (!set || setDigest(set) !== inputs.digest) return undefined;
    const rows = set.rows.map((row): [string, Row] => [
      `${row.table} ${row.key}`,
      { label: rowLabel(row), words: [...rowWords(row).flatMap(([, words]) => words.map(readWord)), ...parentWords(row)] },
    ]);
    const shared = contributionLines(set).map(([label, value]): [string, Row] => [`shared ${label}`, { label, words: [{ name: "", value }] }]);
    return { rows: new Map([...rows, ...shared]), tables: new Map() };
  } catch {
    // Arguments of another release; the lines are there.
    return undefined;
  }
}

/** Pseudo-column for the column that lists a row, so that a move to another column is reported as a change. */
const PARENT = "(listed in)";

function parentWords({ parent }: DesiredRow): Word[] {
  if (!parent) return [];
  const { row } = parent;
  return [{ name: PARENT, value: `${parent.table} ${"key" in row ? row.key : "uuid" in row ? row.uuid : row.name} ${parent.column}` }];
}

/** Only the columns of an added or removed row, without its parent. */
export function ownWords(words: readonly Word[]): Word[] {
  return words.filter(({ name }) => name !== PARENT);
}

function linesIn({ inputs: { rows } }: State): Record<string, string> {
  if (typeof rows !== "object" || rows === null) return {};
  return Object.fromEntries(Object.entries(rows).filter((entry): entry is [string, string] => typeof entry[1] === "string"));
}

function fromLines(lines: Record<string, string>): Known {
  const { rows, tables } = readLines(lines);
  return { rows: new Map([...rows].map(([label, words]) => [label, { label, words: words.filter(hasValue) }])), tables };
}

/** Whether a column is shown. Long rows leave out empty columns. Short rows do too, so that a growing row does not seem to lose them. */
function hasValue({ value }: Word): boolean {
  return value !== "[]" && value !== '""';
}
