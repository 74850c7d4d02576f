import type { RowKindName } from "@pulumi-ovn/provider";
import type { Properties } from "@pulumi-ovn/provider/tools";
import type { Database, Row } from "../database";
import type { Match } from "../match";

/** Known data of a zone during recognition. */
export interface Zone {
  readonly name: string;
  readonly database: Database;
  /** Resources recognized so far, by kind. */
  readonly matches: readonly Match[];
}

/** Resource that may represent the rows around one row. */
export interface Suggestion {
  readonly kind: RowKindName;
  /** Subject of the suggestion, for names and the report. */
  readonly row: Row;
  /** Candidate arguments; the first match is used. Empty if the row is not of this kind. May throw ArgumentErrors about the rows' values. */
  readonly variants: () => readonly Properties[];
}

/** Looks for one kind of resource. It may guess: suggestions that do not match are dropped. */
export type Recognizer = (zone: Zone) => Suggestion[];

/** The live row of a match that has this role. */
export function rowOf({ pairs }: Match, table: string): Row {
  return pairs.find(({ desired, row }) => row.table === table && desired.parent === undefined)!.row;
}

export function matchesOf({ matches }: Zone, kind: RowKindName): Match[] {
  return matches.filter((match) => match.kind.name === kind);
}
