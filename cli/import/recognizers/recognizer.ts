import type { RowKindName } from "@pulumi-ovn/provider";
import type { Properties } from "@pulumi-ovn/provider/tools";
import type { Database, Row } from "../database";
import type { Match } from "../match";

/** What is known of a zone while it is being recognized. */
export interface Zone {
  readonly name: string;
  readonly database: Database;
  /** What has been recognized so far, by kind. */
  readonly matches: readonly Match[];
}

/** What may stand for the rows around one row. */
export interface Suggestion {
  readonly kind: RowKindName;
  /** The row that it is about, for names and the report. */
  readonly row: Row;
  /** Arguments, of which the first ones that match are taken; none: the row is nothing of the kind. May throw ArgumentErrors of what the rows hold. */
  readonly variants: () => readonly Properties[];
}

/** Looks for one kind of resource. It may guess: what does not match is dropped. */
export type Recognizer = (zone: Zone) => Suggestion[];

/** The live row of a match that has this role. */
export function rowOf({ pairs }: Match, table: string): Row {
  return pairs.find(({ desired, row }) => row.table === table && desired.parent === undefined)!.row;
}

export function matchesOf({ matches }: Zone, kind: RowKindName): Match[] {
  return matches.filter((match) => match.kind.name === kind);
}
