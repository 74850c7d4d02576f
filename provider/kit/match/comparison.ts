import type { ConstantSet } from "./constant-set";
import type { MatchProblem } from "./error";
import type { MatchSymbol } from "./symbols";

export interface Field {
  readonly symbol: MatchSymbol;
  /** Number of bits that are compared. */
  readonly bits: number;
  /** Index of its first character. */
  readonly start: number;
}

export const COMPARISONS: readonly string[] = ["==", "!=", "<", "<=", ">", ">="];

export const LIST = "==, !=, <, <=, > or >=";

/** Why a field can't be compared with these constants; undefined if it can. */
export function comparisonProblem(field: Field, comparison: string, constants: ConstantSet, isNegated: boolean): MatchProblem | undefined {
  return typeProblem(field, constants) ?? operatorProblem(field, comparison, constants) ?? nominalProblem(field, comparison, constants, isNegated);
}

function typeProblem({ symbol: { name, width } }: Field, { type, start, widest, widestToken }: ConstantSet): MatchProblem | undefined {
  if (type !== (width === 0 ? "string" : "number"))
    return {
      index: start,
      message: width === 0 ? `${name} is compared with text in double quotes, or a port group` : `${name} is compared with numbers, not text`,
    };
  if (width === 0 || widest <= width) return undefined;
  return { index: widestToken?.start ?? start, message: `${name} has ${width} bits, the constant has ${widest}` };
}

function operatorProblem({ symbol: { name, level }, start }: Field, comparison: string, { first, count, hasBraces }: ConstantSet): MatchProblem | undefined {
  if (comparison === "==" || comparison === "!=") return undefined;
  const only = (what: string) => ({ index: start, message: `${what} can only be compared by == and !=` });
  if (hasBraces) return only("a set");
  if (level !== "ordinal") return only(`the ${level} ${name}`);
  if (count === 0) return only("a set without elements");
  return first?.mask === undefined ? undefined : only("a constant with a mask");
}

function nominalProblem({ symbol, start }: Field, comparison: string, { hasOdd, hasEven }: ConstantSet, isNegated: boolean): MatchProblem | undefined {
  if (symbol.level !== "nominal") return undefined;
  const { name, isPredicate } = symbol;
  const isInverse = (comparison === "!=") !== isNegated;
  if (!isPredicate) return isInverse ? { index: start, message: `${name} can only be tested for equality, not for inequality or inside of !` } : undefined;
  return (isInverse ? hasOdd : hasEven) ? { index: start, message: `${name} can't be negated: OVN tests it only positively` } : undefined;
}
