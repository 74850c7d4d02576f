import { isUtf8 } from "node:buffer";
import { ProtocolError } from "../errors";
import { parseJson } from "./json";

/** Bytes of rows that are parsed together. */
const BATCH = 64 * 1024;

const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const COMMA = 0x2c;

/** Rows as one JSON array, outside of JavaScript's heap until the first of them is wanted. */
class Batch {
  private readonly bytes: Buffer;
  private end = 0;
  private started = 0;
  /** Start of the last row. */
  private start = 0;
  private rows: unknown[] | undefined;

  constructor(size: number) {
    this.bytes = Buffer.allocUnsafeSlow(size);
  }

  /** With the bytes before and behind a row. */
  hasRoom(length: number): boolean {
    return this.end + length + 2 <= this.bytes.length;
  }

  begin(): void {
    this.bytes[this.end++] = this.started++ === 0 ? OPEN_BRACKET : COMMA;
    this.start = this.end;
  }

  /** Returns the last row's number. */
  get last(): number {
    return this.started - 1;
  }

  append(from: Buffer, start: number, end: number): void {
    this.end += from.copy(this.bytes, this.end, start, end);
  }

  /** The last row continues in a larger batch; doubling keeps the work linear when it is a long one. */
  moveRow(more: number): Batch {
    const next = new Batch(Math.max(BATCH, 2 * (this.end - this.start + more)));
    next.begin();
    next.append(this.bytes, this.start, this.end);
    this.end = this.start - 1;
    return next;
  }

  /** Each row can be taken once. */
  take(row: number): unknown {
    this.rows ??= this.parse();
    const value = this.rows[row];
    this.rows[row] = undefined;
    return value;
  }

  private parse(): unknown[] {
    this.bytes[this.end++] = CLOSE_BRACKET;
    const bytes = this.bytes.subarray(0, this.end);
    if (!isUtf8(bytes)) throw new ProtocolError("a message is not valid UTF-8");
    const text = bytes.toString("utf8");
    // Gives the memory back now: the garbage collector, which sees only a small object, would take its time.
    (this.bytes.buffer as ArrayBuffer).transfer(0);
    return parseJson(text) as unknown[];
  }
}

/** A row of a long message, to be parsed once. */
export class Part {
  constructor(
    private readonly batch: Batch,
    private readonly row: number,
  ) {}

  parse(): unknown {
    return this.batch.take(this.row);
  }
}

/** Collects the rows of one message. */
export class PartCollector {
  readonly parts: (Part | undefined)[] = [];
  private batch: Batch | undefined;

  begin(): void {
    if (this.batch?.hasRoom(0) !== true) this.batch = new Batch(BATCH);
    this.batch.begin();
  }

  append(chunk: Buffer, from: number, to: number): void {
    if (!this.batch!.hasRoom(to - from)) this.batch = this.batch!.moveRow(to - from);
    this.batch!.append(chunk, from, to);
  }

  /** Returns the placeholder of the row in the remaining message. */
  finish(): string {
    return placeholder(this.parts.push(new Part(this.batch!, this.batch!.last)) - 1);
  }
}

/** A string that begins with U+0000, which no OVSDB string may hold, followed by the row's number. */
function placeholder(index: number): string {
  return `"\\u0000${index}"`;
}

/** Rows stand within this many levels of arrays and objects. */
const LEVELS = 4;

/** Puts the rows back to their positions: each as what `make` makes of it. */
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
      // Released: the receiver of the row decides how long it stays in memory.
      parts[index] = undefined;
      items[key] = make(part);
    }
  }
}
