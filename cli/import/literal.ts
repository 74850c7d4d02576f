/** A name that needs no quotes as a field of an object literal; `__proto__` there would set the prototype. */
const PLAIN_FIELD = /^[A-Za-z_$][\w$]*$/;

/** Line ends that JSON text may hold and source text may not, in the eyes of older tools; and what browsers and reviewers would not see. */
const INVISIBLE = /[\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]|\p{Surrogate}/gu;

/** A string literal with double quotes: nothing in it is interpolated, and every character survives. */
export function stringLiteral(text: string): string {
  return JSON.stringify(text).replace(INVISIBLE, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

function field(name: string): string {
  if (name === "__proto__") return `["__proto__"]`;
  return PLAIN_FIELD.test(name) ? name : stringLiteral(name);
}

/** Source text instead of a string literal: an expression, or undefined for the string itself. */
export type Expressions = (text: string) => string | undefined;

const WIDTH = 120;

/**
 * JSON as TypeScript source. A value that fits is on one line; any other value has one line for each field.
 *
 * @param indent spaces before the lines that follow the first
 * @param before width that the first line has used already
 */
export function literal(value: unknown, expressions: Expressions = () => undefined, indent = 0, before = 0): string {
  if (typeof value === "string") return expressions(value) ?? stringLiteral(value);
  if (typeof value !== "object" || value === null) return Object.is(value, -0) ? "-0" : String(value);
  const parts: readonly (readonly [string, unknown])[] = Array.isArray(value)
    ? value.map((item) => ["", item] as const)
    : Object.entries(value).map(([name, item]) => [`${field(name)}: `, item] as const);
  const [open, close] = Array.isArray(value) ? ["[", "]"] : ["{", "}"];
  if (parts.length === 0) return open + close;
  const short = oneLine(parts, expressions);
  const pad = Array.isArray(value) ? "" : " ";
  if (short !== undefined && indent + before + short.length + 4 <= WIDTH) return `${open}${pad}${short}${pad}${close}`;
  const inner = indent + 2;
  const lines = parts.map(([name, item]) => `${" ".repeat(inner)}${name}${literal(item, expressions, inner, name.length)},`);
  return `${open}\n${lines.join("\n")}\n${" ".repeat(indent)}${close}`;
}

/** undefined when it can't be one line. */
function oneLine(parts: readonly (readonly [string, unknown])[], expressions: Expressions): string | undefined {
  if (parts.length > WIDTH / 2) return undefined;
  const texts: string[] = [];
  let width = 0;
  for (const [name, item] of parts) {
    const text = name + literal(item, expressions);
    width += text.length + 2;
    if (width > WIDTH || text.includes("\n")) return undefined;
    texts.push(text);
  }
  return texts.join(", ");
}
