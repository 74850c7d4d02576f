import { type Constant, isConstant, widthOf } from "./constant";
import { type Token, tokenAt } from "./lexer";

/** Constants of a comparison. */
export class ConstantSet {
  /** Index of the first character. */
  readonly start: number;
  readonly hasBraces: boolean;
  type: "number" | "string" | undefined;
  /** Undefined when a set of addresses or ports is among them whose elements are not known. */
  count: number | undefined = 0;
  first: Constant | undefined;
  widest = 0;
  /** Token with the widest number. */
  widestToken: Token | undefined;
  hasOdd = false;
  hasEven = false;

  constructor(start: number, hasBraces: boolean) {
    this.start = start;
    this.hasBraces = hasBraces;
  }

  /** Numbers and texts don't mix. A set without elements has no type that lasts. */
  takes(type: "number" | "string"): boolean {
    if (this.count !== 0 && this.type !== type) return false;
    this.type = type;
    return true;
  }

  addNumbers({ first, count, widest, hasOdd, hasEven }: Numbers, token: Token): void {
    this.first ??= first;
    if (widest > this.widest) [this.widest, this.widestToken] = [widest, token];
    this.hasOdd ||= hasOdd;
    this.hasEven ||= hasEven;
    this.add(count);
  }

  /** @param count undefined if it is not known */
  add(count: number | undefined): void {
    this.count = count === undefined || this.count === undefined ? undefined : this.count + count;
  }
}

/** Numbers, summed up: an address set may be large, and used often. */
export interface Numbers {
  readonly first: Constant | undefined;
  readonly count: number;
  readonly widest: number;
  readonly hasOdd: boolean;
  readonly hasEven: boolean;
}

export function sumUp(constants: readonly Constant[]): Numbers {
  return {
    first: constants[0],
    count: constants.length,
    widest: constants.reduce((most, constant) => Math.max(most, widthOf(constant)), 0),
    hasOdd: constants.some(({ value }) => (value & 1n) === 1n),
    hasEven: constants.some(({ value }) => (value & 1n) === 0n),
  };
}

/** Elements of an address set, in the order of the database; OVN leaves out what is not an address. */
export function addressNumbers(addresses: readonly string[]): Numbers {
  return sumUp(
    [...addresses]
      .sort()
      .flatMap((text) => tokenAt(text, 0).constant ?? [])
      .filter(isConstant),
  );
}
