/** A match expression that OVN does not parse. */
export interface MatchProblem {
  /** Index of the character. */
  readonly index: number;
  /** Fault and remedy. */
  readonly message: string;
  /** Words that OVN accepts at this column, if they can be listed. */
  readonly expected?: string | undefined;
  /** Name closest to the wrong one. */
  readonly nearest?: string | undefined;
}

/** A match expression that OVN does not parse. ovn-controller would leave the rule out, and only its log would show it. */
export class MatchError extends Error {
  readonly code = "OVN_MATCH";
  /** Position of the character, from 1. */
  readonly column: number;
  readonly expected: string | undefined;
  readonly nearest: string | undefined;

  /** @internal */
  constructor(text: string, { index, message, expected, nearest }: MatchProblem) {
    const column = [...text.slice(0, index)].length + 1;
    super(`column ${column}: ${message}`);
    this.name = "MatchError";
    this.column = column;
    this.expected = expected;
    this.nearest = nearest;
  }
}
