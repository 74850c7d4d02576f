import { isUtf8 } from "node:buffer";
import { ProtocolError } from "../errors";
import { parseJson } from "./json";

/** Bytes that are kept together. */
const SLAB = 1024 * 1024;

/** Bytes of rows, outside of JavaScript's heap. */
class Slab {
  readonly bytes: Buffer;
  /** Rows that were not parsed yet. */
  private rows = 0;
  private full = false;

  constructor(size: number) {
    this.bytes = Buffer.allocUnsafeSlow(size);
  }

  add(): void {
    this.rows++;
  }

  remove(): void {
    this.rows--;
    this.letGo();
  }

  /** No row comes any more. */
  seal(): void {
    this.full = true;
    this.letGo();
  }

  /** Gives the memory back now: the garbage collector, which sees only a small object, would take its time. */
  private letGo(): void {
    if (this.full && this.rows === 0) (this.bytes.buffer as ArrayBuffer).transfer(0);
  }
}

/** A row of a long message, to be parsed once. */
export class Part {
  constructor(
    private readonly slab: Slab,
    private readonly start: number,
    private readonly end: number,
  ) {
    slab.add();
  }

  parse(): unknown {
    const bytes = this.slab.bytes.subarray(this.start, this.end);
    if (!isUtf8(bytes)) throw new ProtocolError("a message is not valid UTF-8");
    const text = bytes.toString("utf8");
    this.slab.remove();
    return parseJson(text);
  }
}

/** Collects the rows of one message, each in one piece. */
export class PartCollector {
  readonly parts: (Part | undefined)[] = [];
  private slab = new Slab(0);
  private start = 0;
  private end = 0;

  begin(): void {
    this.start = this.end;
  }

  append(chunk: Buffer, from: number, to: number): void {
    const length = to - from;
    if (this.end + length > this.slab.bytes.length) this.move(length);
    chunk.copy(this.slab.bytes, this.end, from, to);
    this.end += length;
  }

  /** Returns what stands for the row in the rest of the message. */
  finish(): string {
    return placeholder(this.parts.push(new Part(this.slab, this.start, this.end)) - 1);
  }

  /** The message is complete. */
  seal(): void {
    this.slab.seal();
  }

  /** The row at hand goes on in a new slab; doubling keeps the work linear when it is a long one. */
  private move(more: number): void {
    const begun = this.end - this.start;
    const slab = new Slab(Math.max(SLAB, 2 * (begun + more)));
    this.slab.bytes.copy(slab.bytes, 0, this.start, this.end);
    this.slab.seal();
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
