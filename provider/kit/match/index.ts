import { memo } from "../memo/memo";
import { MatchError } from "./error";
import { endsInComment, tokenAt } from "./lexer";
import { type SetElements, MatchParser } from "./parser";

export { MatchError } from "./error";

/** Sets that a match expression can name. */
export interface MatchSets {
  /** Address sets that exist: their names, or their addresses by name, whose widths are checked then. Default: every name is taken. */
  readonly addressSets?: NamedSets;
  /** Port groups that exist: their names, or their ports by name. Default: every name is taken. */
  readonly portGroups?: NamedSets;
}

/** Names of sets, or their elements by name. */
export type NamedSets = Iterable<string> | Readonly<Record<string, readonly string[]>>;

/** OVN's own limit (25.03). */
const MOST_PARENTHESES = 100;

/**
 * Checks a match expression as OVN does (ovn-sb(5), Logical_Flow match): the `match` of an ACL, a QoS rule, a routing policy
 * or a NAT rule. A text with `^NAME` is not judged, since each chassis puts a text of its own there (Chassis_Template_Var).
 *
 * @throws MatchError with the column, what OVN takes there, and the nearest name
 */
export function parseMatch(text: string, { addressSets, portGroups }: MatchSets = {}): void {
  parse(text, MOST_PARENTHESES, addressSets && elementsByName(addressSets), portGroups && elementsByName(portGroups));
}

/** Number of texts whose verdict is kept. */
const TEXTS = 10_000;

interface Verdict {
  readonly error: MatchError | undefined;
}

const verdict = memo(TEXTS, (text): Verdict => judged(() => parse(text, MOST_PARENTHESES)));

const wrappedVerdict = memo(
  TEXTS,
  (text): Verdict =>
    judged(() => {
      parse(text, MOST_PARENTHESES - 1);
      if (endsInComment(text))
        throw new MatchError(text, { index: text.lastIndexOf("//"), message: "OVN puts ) after the match, into this comment: use /* */" });
    }),
);

/**
 * Faults of a text as the match of a row, for any address sets and port groups.
 *
 * @param isWrapped whether northd puts parentheses around it
 */
export function matchProblem(text: string, isWrapped: boolean): MatchError | undefined {
  return (isWrapped ? wrappedVerdict : verdict)(text).error;
}

function judged(check: () => void): Verdict {
  try {
    check();
    return { error: undefined };
  } catch (error) {
    if (error instanceof MatchError) return { error };
    throw error;
  }
}

function parse(text: string, depth: number, addressSets?: SetElements, portGroups?: SetElements): void {
  if (text.includes("^") && hasTemplate(text)) return;
  new MatchParser(text, { addressSets, portGroups, depth }).parse();
}

function hasTemplate(text: string): boolean {
  let token = tokenAt(text, 0);
  while (token.kind !== "end" && token.kind !== "error" && token.kind !== "template") token = tokenAt(text, token.end);
  return token.kind === "template";
}

function elementsByName(sets: NamedSets): SetElements {
  if (typeof sets === "object" && !(Symbol.iterator in sets)) return new Map(Object.entries(sets));
  return new Map([...(sets as Iterable<string>)].map((name) => [name, undefined]));
}
