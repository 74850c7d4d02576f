import { ArgumentError, rowKind } from "@pulumi-ovn/provider";
import { isMark, type Properties } from "@pulumi-ovn/provider/tools";
import type { Database, Row } from "./database";
import { type Match, matchArgs, Mismatch } from "./match";
import { recognizers } from "./recognizers";
import type { Suggestion } from "./recognizers/recognizer";

/** Rows that resemble a resource of a kind but are not one. */
export interface NearMiss {
  readonly kind: string;
  readonly row: Row;
  readonly reason: string;
}

/** Refuses a match for a reason that its own zone can't know: throws a Mismatch. */
export type Veto = (match: Match) => void;

export interface Recognized {
  readonly matches: readonly Match[];
  readonly nearMisses: readonly NearMiss[];
}

/** Resources that the recognizers find in the rows of one zone. */
export function recognize(name: string, database: Database, veto: Veto): Recognized {
  const matches: Match[] = [];
  const nearMisses: NearMiss[] = [];
  const taken = new Set<string>();
  for (const recognizer of recognizers) {
    for (const suggestion of recognizer({ name, database, matches })) {
      const match = firstMatch(database, suggestion, taken, veto);
      if (match === undefined) continue;
      if (match instanceof Mismatch) {
        nearMisses.push({ kind: suggestion.kind, row: suggestion.row, reason: match.message });
        continue;
      }
      matches.push(match);
      for (const { row } of match.pairs) taken.add(row.uuid);
    }
  }
  return { matches, nearMisses };
}

/** The first variant that matches, otherwise the mismatch of the first, likeliest variant. Undefined if there are no variants. */
function firstMatch(database: Database, { kind, variants }: Suggestion, taken: ReadonlySet<string>, veto: Veto): Match | Mismatch | undefined {
  const candidates = variantsOf(variants);
  if (candidates instanceof Mismatch) return candidates;
  let first: Mismatch | undefined;
  for (const args of candidates) {
    try {
      const match = withSharedMarks(database, matchArgs(database, rowKind(kind), args, taken), taken);
      veto(match);
      return match;
    } catch (error) {
      if (!(error instanceof Mismatch)) throw error;
      first ??= error;
    }
  }
  return first;
}

/** OVN takes any text for an address, so rows may hold what nothing can be made of. */
function variantsOf(variants: Suggestion["variants"]): readonly Properties[] | Mismatch {
  try {
    return variants();
  } catch (error) {
    if (error instanceof ArgumentError) return new Mismatch(error.message);
    throw error;
  }
}

/** Entries of `external_ids` that every row has are an argument too. */
function withSharedMarks(database: Database, match: Match, taken: ReadonlySet<string>): Match {
  const maps = match.pairs.flatMap(({ row, desired }) =>
    row.columns.external_ids instanceof Map
      ? [{ live: row.columns.external_ids as ReadonlyMap<string, string>, said: desired.source.columns.external_ids }]
      : [],
  );
  const [first] = maps;
  if (!first || maps.some(({ said }) => said !== undefined)) return match;
  const shared = [...first.live].filter(([key, value]) => !isMark(key) && maps.every(({ live }) => live.get(key) === value));
  if (shared.length === 0) return match;
  return matchArgs(database, match.kind, { ...match.args, externalIds: Object.fromEntries(shared) }, taken, match.adopted);
}
