import type { DatabaseSchema } from "@pulumi-ovn/ovsdb-client";
import { RowError } from "../errors";
import type { LiveRow } from "../database/row";
import { sameMeaning } from "../database/meanings";
import { naturalKey } from "../database/natural-keys";
import type { ResolvedRow } from "../set/resolve";
import { toValue } from "../set/values";

/** A live row that a desired one may be. */
export interface Candidate {
  readonly uuid: string;
  readonly live: LiveRow;
}

/**
 * Pure: which live row each row is. Parents come before their rows: which rows belong to a parent is known only when
 * the parent is. `candidates` are, for each row, those that are equal in the columns of its natural key; `parents`, for
 * each row whose parent is not among the rows, what is in that parent's set; undefined: any row may be in it. `choose` decides
 * between several candidates; by default a RowError is thrown.
 */
export function matchRows(
  rows: readonly ResolvedRow[],
  candidates: readonly (readonly Candidate[])[],
  parents: readonly (ReadonlySet<string> | undefined)[],
  schema: DatabaseSchema,
  choose: (row: ResolvedRow, candidates: readonly Candidate[]) => Candidate = refuseSeveral,
): Map<ResolvedRow, Candidate> {
  const found = new Map<ResolvedRow, Candidate>();
  const taken = new Set<string>();
  const sets = new Map<string, ReadonlySet<string>>();
  const byUuid = new Map(rows.map((row, index) => [row.uuid, index]));
  const done = new Set<number>();
  const visit = (index: number): void => {
    if (done.has(index)) return;
    done.add(index);
    const row = rows[index]!;
    const parent = row.parent && byUuid.get(row.parent.uuid);
    if (parent !== undefined) visit(parent);
    const inside = row.parent === undefined ? undefined : parent === undefined ? parents[index] : elementsOf(sets, found.get(rows[parent]!), row.parent.column);
    const eligible = candidates[index]!.filter(({ uuid }) => !taken.has(uuid) && (inside === undefined || inside.has(uuid)));
    const left = narrow(row, eligible, schema);
    const best = left.length > 1 ? choose(row, left) : left[0];
    if (!best) return;
    found.set(row, best);
    taken.add(best.uuid);
  };
  rows.forEach((_row, index) => visit(index));
  return found;
}

/** Elements of a parent's set; computed once for all candidates. */
function elementsOf(sets: Map<string, ReadonlySet<string>>, parent: Candidate | undefined, column: string): ReadonlySet<string> {
  if (!parent) return new Set();
  const key = `${parent.uuid} ${column}`;
  const known = sets.get(key);
  if (known) return known;
  const elements = new Set((parent.live[column] ?? []) as readonly string[]);
  sets.set(key, elements);
  return elements;
}

function narrow(row: ResolvedRow, eligible: readonly Candidate[], schema: DatabaseSchema): readonly Candidate[] {
  let left = eligible;
  for (const name of naturalKey(row.table)?.tieBreakers ?? []) {
    if (left.length < 2) break;
    const column = schema.table(row.table).column(name);
    const desired = row.columns[name];
    const equal = desired === undefined ? [] : left.filter(({ live }) => sameMeaning(column, toValue(column, desired), live[name]!));
    if (equal.length > 0) left = equal;
  }
  return left;
}

function refuseSeveral(row: ResolvedRow, candidates: readonly Candidate[]): never {
  const uuids = candidates.map(({ uuid }) => uuid).join(", ");
  throw new RowError("OVN_AMBIGUOUS", `${row.label} could be any of ${candidates.length} rows (${uuids}); remove the surplus ones first`, row.label);
}
