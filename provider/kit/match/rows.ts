import { ArgumentError, type Failure } from "../arguments/errors";
import { matchProblem } from "./index";

/** Columns with match expressions, and whether northd puts parentheses around the text (OVN 25.03). */
const COLUMNS: Readonly<Record<string, "wrapped" | "plain">> = {
  ACL: "wrapped",
  NAT: "wrapped",
  QoS: "plain",
  Logical_Router_Policy: "plain",
  Mirror_Rule: "plain",
  Logical_Flow: "plain",
};

const COLUMN = "match";

/** The match of a row that is written, and its path among the arguments. */
export interface MatchOfRow {
  readonly table: string;
  readonly columns: Readonly<Record<string, unknown>>;
  readonly path: string;
}

/** Refuses rows whose match OVN doesn't parse: ovn-controller would leave them out, and only its log would show it. Throws an ArgumentError. */
export function judgeMatches(rows: readonly MatchOfRow[]): void {
  const failures = rows.flatMap(failureOf);
  if (failures.length > 0) throw new ArgumentError(failures);
}

function failureOf({ table, columns, path }: MatchOfRow): Failure[] {
  const form = Object.hasOwn(COLUMNS, table) ? COLUMNS[table] : undefined;
  const text = columns[COLUMN];
  // A NAT rule without a match has an empty one. The schema refuses other types.
  if (form === undefined || typeof text !== "string" || (text === "" && table === "NAT")) return [];
  // The policies of a chain have one comparison in common.
  const isWrapped = form === "wrapped" || Boolean(columns["chain"]);
  const problem = matchProblem(text, isWrapped);
  return problem ? [{ path, code: "match", message: `${problem.message} (match expressions: ovn-sb(5), Logical_Flow)` }] : [];
}
