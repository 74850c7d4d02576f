import { nearest } from "../arguments/nearest";
import { addressNumbers, ConstantSet, type Numbers, sumUp } from "./constant-set";
import { MatchError } from "./error";
import { type Token, type TokenKind, tokenAt } from "./lexer";
import { type Field, comparisonProblem, COMPARISONS, LIST } from "./comparison";
import { symbols, WRITE_ONLY } from "./symbols";

/** Elements of sets by name; undefined where they are not known. */
export type SetElements = ReadonlyMap<string, readonly string[] | undefined>;

export interface Surroundings {
  /** Undefined: every name is taken. */
  readonly addressSets?: SetElements | undefined;
  /** Undefined: every name is taken. */
  readonly portGroups?: SetElements | undefined;
  /** How deep parentheses may be nested. */
  readonly depth: number;
}

/** Longer words are not compared with names. */
const LONGEST_NAME = 40;

/** OVN's grammar of match expressions (ovn-sb(5), Logical_Flow match), by recursive descent. Throws a MatchError. */
export class MatchParser {
  readonly #text: string;
  readonly #surroundings: Surroundings;
  readonly #numbers = new Map<string, Numbers>();
  #token: Token;
  #depth = 0;
  /** Inside of an odd number of `!`. */
  #isNegated = false;

  constructor(text: string, surroundings: Surroundings) {
    this.#text = text;
    this.#surroundings = surroundings;
    this.#token = tokenAt(text, 0);
  }

  parse(): void {
    this.#expression();
    if (this.#token.kind !== "end") this.#unexpected(this.#depth === 0 && this.#is(")") ? "no further )" : "&&, || or the end");
  }

  #expression(): void {
    this.#operand();
    const operator = ["&&", "||"].find((text) => this.#is(text));
    if (operator === undefined) return;
    while (this.#takes(operator)) this.#operand();
    if (this.#is("&&") || this.#is("||")) this.#fail(this.#token.start, "&& and || need parentheses when they are used together, as in a && (b || c)");
  }

  #operand(): void {
    const { start } = this.#token;
    if (!this.#takes("!")) return void this.#primary();
    this.#isNegated = !this.#isNegated;
    const isAtomic = this.#primary();
    this.#isNegated = !this.#isNegated;
    if (!isAtomic) this.#fail(start, "! needs parentheses around a comparison, as in !(a == b)");
  }

  /** Returns whether `!` can precede it. */
  #primary(): boolean {
    if (this.#is("(")) return this.#parentheses();
    if (this.#token.kind !== "name") return this.#fromConstants();
    if (tokenAt(this.#text, this.#token.end).text === "(") return this.#function();
    const field = this.#field();
    if (!this.#isComparison()) return this.#bareField(field);
    this.#compare(field, this.#comparison(), this.#constants());
    return false;
  }

  #parentheses(): true {
    if (this.#depth >= this.#surroundings.depth) this.#fail(this.#token.start, `at most ${this.#surroundings.depth} parentheses can be nested`);
    this.#advance();
    this.#depth++;
    this.#expression();
    this.#depth--;
    if (!this.#takes(")")) this.#unexpected("&&, || or )");
    return true;
  }

  #function(): true {
    const { text, start } = this.#token;
    if (text !== "is_chassis_resident") this.#unknownName(start, text, ["is_chassis_resident"], "a function", "is_chassis_resident");
    this.#advance();
    this.#advance();
    if (this.#token.kind !== "string") this.#unexpected("the name of a port in double quotes");
    this.#advance();
    if (!this.#takes(")")) this.#unexpected(")");
    return true;
  }

  /** `80 == tcp.dst`, `0 < tcp.dst < 80`, `1`. */
  #fromConstants(): boolean {
    const constants = this.#constants("a field, a predicate, a constant, ! or (");
    if (!this.#isComparison() && !constants.hasBraces && isBoolean(constants)) return true;
    const first = this.#comparison();
    const field = this.#field();
    const { start } = this.#token;
    const second = this.#isComparison() ? this.#comparison() : undefined;
    if (second !== undefined && (first[0] !== second[0] || !/[<>]/.test(first)))
      this.#fail(start, "a range is x < field < y or x > field > y; <= and >= can be used, too");
    this.#compare(
      field,
      first.replace(/[<>]/, (sign) => (sign === "<" ? ">" : "<")),
      constants,
    );
    if (second !== undefined) this.#compare(field, second, this.#constants());
    return false;
  }

  #bareField({ symbol, bits, start }: Field): true {
    if (symbol.width === 0 || this.#is("=")) this.#unexpected(LIST, COMPARISON_HINT);
    if (bits > 1 && !this.#isNegated) this.#fail(start, `${symbol.name} has ${bits} bits: compare it, as in ${symbol.name} != 0`);
    this.#compare({ symbol, bits, start }, "!=", this.#zero(start));
    return true;
  }

  #zero(start: number): ConstantSet {
    const set = new ConstantSet(start, false);
    set.takes("number");
    set.addNumbers(sumUp([{ format: "hexadecimal", value: 0n }]), this.#token);
    return set;
  }

  #field(): Field {
    const { kind, text, start } = this.#token;
    if (kind !== "name") this.#unexpected("a field or a predicate");
    const symbol = symbols.get(text);
    if (WRITE_ONLY.has(text)) this.#fail(start, `${text} can only be set by actions: OVN crashes on a match with it`);
    if (!symbol) return this.#unknownName(start, text, [...symbols.keys()], "a field or predicate", "a field or predicate");
    this.#advance();
    if (!this.#takes("[")) return { symbol, bits: symbol.width, start };
    if (symbol.width === 0) this.#fail(start, `${text} is text: it has no bits to select`);
    const low = this.#bit();
    const high = this.#takes("..") ? this.#bit() : low;
    if (!this.#takes("]")) this.#unexpected(low === high ? ".. or ]" : "]");
    if (low > high) this.#fail(start, `bits ${low}..${high}: the lower one comes first`);
    if (high >= symbol.width) this.#fail(start, `${text} has bits 0 to ${symbol.width - 1}, not ${high}`);
    if (symbol.level === "nominal" && high - low + 1 < symbol.width) this.#fail(start, `bits of ${text} can't be selected: it can only be compared as a whole`);
    return { symbol, bits: high - low + 1, start };
  }

  #bit(): number {
    const { constant } = this.#token;
    if (constant?.format !== "decimal" || constant.mask !== undefined || constant.value >> 31n !== 0n) this.#unexpected("the number of a bit");
    this.#advance();
    return Number(constant!.value);
  }

  #isComparison(): boolean {
    return this.#token.kind === "mark" && COMPARISONS.includes(this.#token.text);
  }

  #comparison(): string {
    if (!this.#isComparison()) this.#unexpected(LIST, COMPARISON_HINT);
    return this.#advance().text;
  }

  #constants(expected = "a number, an address, text in double quotes, a set in braces, $ADDRESS_SET or @PORT_GROUP"): ConstantSet {
    const { start } = this.#token;
    const set = new ConstantSet(start, this.#takes("{"));
    if (!set.hasBraces) this.#constant(set, expected);
    else
      do {
        this.#constant(set, "a constant or }");
        this.#takes(",");
      } while (!this.#takes("}"));
    return set;
  }

  #constant(set: ConstantSet, expected: string): void {
    const token = this.#token;
    const { kind, text, start, constant } = token;
    const type = TYPES[kind];
    if (!type) return this.#unexpected(expected);
    const known = kind === "addressSet" || kind === "portGroup" ? this.#elements(kind, text, start) : undefined;
    if (!set.takes(type)) this.#fail(start, `a set has either numbers or texts: expected a ${set.type}`);
    if (constant) set.addNumbers(sumUp([constant]), token);
    else if (kind === "string") set.add(1);
    else if (kind === "addressSet" && known) set.addNumbers(this.#summedUp(text, known), token);
    else set.add(known?.length);
    this.#advance();
  }

  #elements(kind: "addressSet" | "portGroup", name: string, start: number): readonly string[] | undefined {
    const [elements, what, sign] =
      kind === "addressSet" ? [this.#surroundings.addressSets, "an address set", "$"] : [this.#surroundings.portGroups, "a port group", "@"];
    if (elements && !elements.has(name)) this.#unknownName(start, name, [...elements.keys()], what, `the name of ${what}`, sign);
    return elements?.get(name);
  }

  #summedUp(name: string, addresses: readonly string[]): Numbers {
    const before = this.#numbers.get(name) ?? addressNumbers(addresses);
    this.#numbers.set(name, before);
    return before;
  }

  #compare(field: Field, comparison: string, constants: ConstantSet): void {
    const problem = comparisonProblem(field, comparison, constants, this.#isNegated);
    if (problem) this.#fail(problem.index, problem.message);
  }

  #is(text: string): boolean {
    return this.#token.kind === "mark" && this.#token.text === text;
  }

  #takes(text: string): boolean {
    const is = this.#is(text);
    if (is) this.#advance();
    return is;
  }

  /** Returns the token that it leaves. */
  #advance(): Token {
    const before = this.#token;
    this.#token = tokenAt(this.#text, before.end);
    return before;
  }

  #unexpected(expected: string, hint = ""): never {
    const { kind, text, start, problem } = this.#token;
    if (kind === "error") throw this.#error(start, problem!);
    const found = kind === "end" ? "the end" : `"${short(kind === "mark" || kind === "name" ? text : this.#text.slice(start, this.#token.end))}"`;
    throw this.#error(start, `expected ${expected}, found ${found}${kind === "mark" && text === "=" ? hint : ""}`, expected);
  }

  #unknownName(start: number, name: string, names: readonly string[], what: string, expected: string, sign = ""): never {
    const near = name.length > LONGEST_NAME ? undefined : (nearest(name, names) ?? nearest(name.toLowerCase(), names));
    const hint = near === undefined ? "" : `; did you mean ${sign}${near}?`;
    throw this.#error(start, `${sign}${short(name)} is not ${what}${hint}`, expected, near);
  }

  #fail(index: number, message: string): never {
    throw this.#error(index, message);
  }

  #error(index: number, message: string, expected?: string, near?: string): MatchError {
    return new MatchError(this.#text, { index, message, expected, nearest: near });
  }
}

const COMPARISON_HINT = "; == compares";

const TYPES: Readonly<Partial<Record<TokenKind, "number" | "string">>> = { number: "number", addressSet: "number", string: "string", portGroup: "string" };

const isBoolean = ({ count, first }: ConstantSet): boolean => count === 1 && first?.format === "decimal" && first.mask === undefined && first.value <= 1n;

const short = (text: string): string => (text.length > LONGEST_NAME ? `${text.slice(0, LONGEST_NAME)}...` : text);
