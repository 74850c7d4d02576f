import { isUtf8 } from "node:buffer";
import { ProtocolError } from "../errors";
import { parseJson } from "./json";

/** Bytes that are kept together. */
const SLAB = 1024 * 1024;

/** A row of a long message, not parsed yet. Its bytes are outside of JavaScript's heap. */
export class Part {
  constructor(private readonly bytes: Buffer) {}

  parse(): unknown {
    if (!isUtf8(this.bytes)) throw new ProtocolError("a message is not valid UTF-8");
    return parseJson(this.bytes.toString("utf8"));
  }
}

/** Collects the rows of one message, each in one piece. */
export class PartCollector {
  readonly parts: (Part | undefined)[] = [];
  private slab = Buffer.alloc(0);
  private start = 0;
  private end = 0;

  begin(): void {
    this.start = this.end;
  }

  append(chunk: Buffer, from: number, to: number): void {
    const length = to - from;
    if (this.end + length > this.slab.length) this.move(length);
    chunk.copy(this.slab, this.end, from, to);
    this.end += length;
  }

  /** Returns what stands for the row in the rest of the message. */
  finish(): string {
    return placeholder(this.parts.push(new Part(this.slab.subarray(this.start, this.end))) - 1);
  }

  /** The row at hand goes on in a new slab; doubling keeps the work linear when it is a long one. */
  private move(more: number): void {
    const begun = this.end - this.start;
    const slab = Buffer.allocUnsafeSlow(Math.max(SLAB, 2 * (begun + more)));
    this.slab.copy(slab, 0, this.start, this.end);
    this.slab = slab;
    this.start = 0;
    this.end = begun;
  }
}

/** A string that begins with U+0000, which no OVSDB string may hold, followed by the row's number. */
function placeholder(index: number): string {
  return `"\\u0000${index}"`;
}

/** Rows stand within this many levels of arrays and objects. */
const LEVELS = 4;

/** Puts the rows back to their places: each as what `make` makes of it. */
export function placeParts(container: unknown, parts: (Part | undefined)[], make: (part: Part) => unknown, levels = LEVELS): void {
  if (typeof container !== "object" || container === null) return;
  const items = container as Record<string, unknown>;
  for (const key in items) {
    const item = items[key];
    if (typeof item !== "string") {
      if (levels > 1) placeParts(item, parts, make, levels - 1);
    } else if (item.charCodeAt(0) === 0) {
      const index = Number(item.slice(1));
      const part = parts[index];
      if (part === undefined) throw new ProtocolError("a message holds a string that OVSDB does not allow");
      // Given away: whoever has the row decides how long it stays in memory.
      parts[index] = undefined;
      items[key] = make(part);
    }
  }
}
