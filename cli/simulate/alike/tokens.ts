const ITEM = String.raw`"(?:[^"\\]|\\.)*"|[\w.:]+(?:\/[\w.:]+)?`;
const TOKEN = new RegExp(String.raw`\{\s*(?:${ITEM})(?:[\s,]+(?:${ITEM}))*\s*\}|${ITEM}`, "g");
const PARTS = new RegExp(`(${TOKEN.source})`);
const ITEMS = new RegExp(ITEM, "g");

/** Pure. A text of OVN with each name, number, address or list of them replaced. A list begins with a brace. */
export function replaceTokens(text: string, replace: (token: string) => string): string {
  return text.replace(TOKEN, replace);
}

/** Pure. Splits a text of OVN: tokens have odd indexes, the text between them even ones. */
export function partsOf(text: string): readonly string[] {
  return text.split(PARTS);
}

/** Pure. Like `replaceTokens`, within a list. */
export function replaceItems(list: string, replace: (item: string) => string): string {
  return list.replace(ITEMS, replace);
}

/** Pure. All names, numbers and addresses of a text, also those in lists. */
export function itemsOf(text: string): readonly string[] {
  return text.match(ITEMS) ?? [];
}

/** Pure. A backend `ADDRESS:PORT` as an address and the rest. IPv6 addresses of backends are in brackets, which end a token. */
export function splitPort(token: string): readonly [address: string, rest: string] {
  if (!token.includes(":") || !token.includes(".")) return [token, ""];
  const [, address, rest] = /^(\d+\.\d+\.\d+\.\d+)(:\d+)$/.exec(token) ?? [];
  return address === undefined ? [token, ""] : [address, rest!];
}
