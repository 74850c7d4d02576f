/**
 * Pure. Fields of a flow's text before its actions, as ovs-ofctl reads them (lib/ofp-parse.c, ofputil_parse_key_value): separated by commas or
 * white space; `name`, `name=value`, `name:value` or `name(value)`. Returned as `name=value` if equivalent; a value with a comma or white space
 * keeps its brackets.
 */
export function fieldsOf(text: string): string[] {
  return UNUSUAL.test(text) ? scanned(text) : text.split(",");
}

/** `nw_dst` of `nw_dst=10.0.0.1`. */
export const nameOf = (field: string): string => field.split(/[=(]/, 1)[0]!;

/** Most texts have one comma between two fields, "=" before each value, and nothing in quotes or brackets, which is read faster. */
const UNUSUAL = /^$|^,|,$|,,|[ \t\r\n"(]|(?:^|,)[\w.[\]]*:/;

const SEPARATORS = ", \t\r\n";
const END_OF_NAME = /[:=(, \t\r\n]|$/g;

function scanned(text: string): string[] {
  const fields: string[] = [];
  for (let at = 0; ; ) {
    while (at < text.length && SEPARATORS.includes(text[at]!)) at++;
    if (at === text.length) return fields;
    END_OF_NAME.lastIndex = at;
    const nameEnd = END_OF_NAME.exec(text)!.index;
    const [name, mark] = [text.slice(at, nameEnd), text[nameEnd]];
    const bracketed = mark === "(";
    const hasValue = bracketed || mark === "=" || mark === ":";
    const end = hasValue ? valueEnd(text, nameEnd + 1, bracketed ? ")" : SEPARATORS) : nameEnd;
    fields.push(hasValue ? written(name, text.slice(nameEnd + 1, end), bracketed) : name);
    at = Math.min(end + 1, text.length);
  }
}

/** End of a value; separators in quotes or brackets do not end it. */
function valueEnd(text: string, begin: number, delimiters: string): number {
  let at = begin;
  while (at < text.length && !delimiters.includes(text[at]!)) {
    if (text[at] === "(") at = bracketEnd(text, at);
    else if (text[at] === '"') at = quoteEnd(text, at);
    else at++;
  }
  return at;
}

function bracketEnd(text: string, begin: number): number {
  let [at, level] = [begin, 0];
  do {
    if (text[at] === "(") level++;
    else if (text[at] === ")") level--;
    at++;
  } while (level > 0 && at < text.length);
  return at;
}

function quoteEnd(text: string, begin: number): number {
  let at = begin + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
  return Math.min(at + 1, text.length);
}

function written(name: string, value: string, bracketed: boolean): string {
  return bracketed && valueEnd(value, 0, SEPARATORS) < value.length ? `${name}(${value})` : `${name}=${value}`;
}
