import { ProtocolError } from "../errors";
import { parseJson } from "./json";

/**
 * Where the framer has taken a row out of a long message it leaves a string that begins with U+0000, which
 * no OVSDB string may hold, followed by the row's number.
 */
export function placeholder(index: number): string {
  return `"\\u0000${index}"`;
}

/** A row of a long message, not parsed yet. */
export class Part {
  constructor(private readonly text: string) {}

  parse(): unknown {
    return parseJson(this.text);
  }
}

/** Rows stand within this many levels of arrays and objects. */
const LEVELS = 4;

/** Puts the rows back to their places: each as what `make` makes of its text. */
export function placeParts(container: unknown, parts: (string | undefined)[], make: (text: string) => unknown, levels = LEVELS): void {
  if (typeof container !== "object" || container === null) return;
  const items = container as Record<string, unknown>;
  for (const key in items) {
    const item = items[key];
    if (typeof item !== "string") {
      if (levels > 1) placeParts(item, parts, make, levels - 1);
    } else if (item.charCodeAt(0) === 0) {
      const index = Number(item.slice(1));
      const text = parts[index];
      if (text === undefined) throw new ProtocolError("a message holds a string that OVSDB does not allow");
      // Given away: whoever has the row decides how long its text stays in memory.
      parts[index] = undefined;
      items[key] = make(text);
    }
  }
}
