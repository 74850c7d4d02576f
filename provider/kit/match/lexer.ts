import { type Constant, isConstant, masked, type NotConstant, readNumber } from "./constant";

/** `mark` is an operator or a bracket, `template` a name that each chassis replaces by a text of its own (Chassis_Template_Var). */
export type TokenKind = "end" | "name" | "string" | "number" | "addressSet" | "portGroup" | "template" | "mark" | "error";

export interface Token {
  readonly kind: TokenKind;
  /** Without `$`, `@` or `^` before a name. */
  readonly text: string;
  /** Index of the first character. */
  readonly start: number;
  /** Index after the last character. */
  readonly end: number;
  readonly constant?: Constant;
  /** Fault of a token of kind `error`. */
  readonly problem?: string;
}

const NAME = /[A-Za-z_.][A-Za-z0-9_.]*/y;
const HEXADECIMAL_GROUP = /[0-9a-fA-F]+:/y;
/** A colon never follows a dot, so that 1.2.3.4:80 is three tokens; `..` is a token. */
const NUMBER = /[0-9A-Za-z:]*(?:\.(?!\.)[0-9A-Za-z]*)*/y;
const MARK = /==|=|!=|!|&&|\|\||<=|<->|<|>=|>|\.\.|--|[-(){}[\],;:]/y;
const STRING = /"(?:[^"\\]|\\[^])*"/y;
/** JSON strings without `\u0000` and halves of surrogate pairs. */
const ESCAPES = /^(?:[^\\]|\\(?:["\\/bfnrt]|u(?!0000|[dD][89a-fA-F])[0-9a-fA-F]{4}|u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}))*$/;

const NAMED: Readonly<Record<string, TokenKind>> = { $: "addressSet", "@": "portGroup", "^": "template" };

/** The token at or after an index of the text; white space and comments are left out. */
export function tokenAt(text: string, index: number): Token {
  const start = skipSpace(text, index);
  const first = text[start];
  if (first === undefined) return { kind: "end", text: "", start, end: start };
  if (first === '"') return stringAt(text, start);
  if (Object.hasOwn(NAMED, first)) return namedAt(text, start, first);
  if (/[0-9]/.test(first) || text.startsWith("::", start) || (/[a-fA-F]/.test(first) && at(HEXADECIMAL_GROUP, text, start))) return numberAt(text, start);
  const mark = at(MARK, text, start);
  if (mark) return { kind: "mark", text: mark, start, end: start + mark.length };
  const name = first === "." ? undefined : at(NAME, text, start);
  return name ? { kind: "name", text: name, start, end: start + name.length } : errorAt(start, strayProblem(text, start));
}

/** Whether a text ends in a comment that lasts to the end of its line. */
export function endsInComment(text: string): boolean {
  let token = tokenAt(text, 0);
  let end = 0;
  for (; token.kind !== "end" && token.kind !== "error"; token = tokenAt(text, token.end)) end = token.end;
  return token.kind === "end" && tokenAt(`${text})`, end).kind === "end";
}

function at(pattern: RegExp, text: string, index: number): string | undefined {
  pattern.lastIndex = index;
  return pattern.exec(text)?.[0];
}

function skipSpace(text: string, from: number): number {
  let index = from;
  for (;;) {
    if (text.startsWith("//", index)) index = orEnd(text, text.indexOf("\n", index));
    else if (text.startsWith("/*", index)) {
      const end = text.indexOf("*/", index + 2);
      if (end < 0 || text.slice(index, end).includes("\n")) return index;
      index = end + 2;
    } else if (index < text.length && " \t\n\r\v\f".includes(text[index]!)) index++;
    else return index;
  }
}

const orEnd = (text: string, index: number): number => (index < 0 ? text.length : index);

const errorAt = (start: number, problem: string, end = start + 1): Token => ({ kind: "error", text: "", start, end, problem });

function strayProblem(text: string, start: number): string {
  const code = text.codePointAt(start)!;
  if (text.startsWith("/*", start)) return "expected */ on the same line";
  if (code < 0x20 || code === 0x7f) return `unexpected character U+${code.toString(16).padStart(4, "0").toUpperCase()}`;
  const found = String.fromCodePoint(code);
  return found === "&" || found === "|" ? `expected ${found}${found}, found one ${found}` : `unexpected character ${found}`;
}

function stringAt(text: string, start: number): Token {
  const found = at(STRING, text, start);
  if (!found) return errorAt(start, "expected a closing quote", text.length);
  const end = start + found.length;
  return ESCAPES.test(found) ? { kind: "string", text: found, start, end } : errorAt(start, "expected a JSON string: it has a wrong escape", end);
}

function namedAt(text: string, start: number, first: string): Token {
  const name = at(NAME, text, start + 1);
  return name ? { kind: NAMED[first]!, text: name, start, end: start + 1 + name.length } : errorAt(start, `expected a name after ${first}`);
}

function numberAt(text: string, start: number): Token {
  const plain = at(NUMBER, text, start)!;
  const slash = start + plain.length;
  const mask = text[slash] === "/" ? at(NUMBER, text, slash + 1)! : undefined;
  const end = mask === undefined ? slash : slash + 1 + mask.length;
  const constant = read(plain, mask);
  if (!isConstant(constant)) return errorAt(start, constant.problem, end);
  return { kind: "number", text: text.slice(start, end), start, end, constant };
}

function read(plain: string, mask: string | undefined): Constant | NotConstant {
  const constant = readNumber(plain);
  if (mask === undefined || !isConstant(constant)) return constant;
  const given = readNumber(mask);
  return isConstant(given) ? masked(constant, given) : given;
}
