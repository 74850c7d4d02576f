import { isAscii } from "node:buffer";
import { TextDecoder } from "node:util";
import { ProtocolError } from "../errors";
import { type Part, PartCollector } from "./parts";

export interface FramerLimits {
  /** Limit for one message. */
  readonly maxMessageBytes: number;
  /** Nesting of arrays and objects. */
  readonly maxDepth: number;
}

/** Size above which a message is handed over in parts. The received text is kept whole: parsing it in one step is faster and leaves less garbage. */
const LONG = 1024 * 1024;
/**
 * Depth of rows by UUID: `{result:[found,id,{Table:{uuid:{` in a monitor's contents, `{params:[id,{Table:{uuid:{` in its updates. (Rows of a
 * select are in an array and are parsed together.)
 */
const ROW_DEPTH = 5;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACE = 0x7b;

/**
 * Splits a byte stream into JSON texts. OVSDB sends messages without a separator (RFC 7047 section 4), so the end is found by counting brackets
 * outside strings.
 *
 * Each byte is read once, and each chunk is decoded on arrival. A message longer than `maxMessageBytes` ends the stream. Rows of a long message
 * are cut out (see `parts.ts`), so that they can be parsed a few at a time: the parsed form of a whole database is several times as big as its
 * text.
 */
export class Framer {
  private depth = 0;
  private inString = false;
  private escaped = false;
  private bytes = 0;
  private text = "";
  private parts = new PartCollector();
  /** Whether the enclosing value is an object. */
  private inTable = false;
  /** Within a row of a long message? */
  private inPart = false;
  /** Set once a message has other than ASCII bytes: a character may be cut by the end of a chunk. */
  private decoder: TextDecoder | undefined;

  constructor(
    private readonly limits: FramerLimits,
    private readonly onMessage: (text: string, parts: (Part | undefined)[]) => void,
  ) {}

  /** Is part of a message waiting for the rest? */
  get incomplete(): boolean {
    return this.depth > 0;
  }

  push(chunk: Buffer): void {
    const ascii = isAscii(chunk);
    const length = chunk.length;
    let at = 0;
    while (at < length) {
      if (this.depth === 0) {
        at = this.skipSpace(chunk, at);
        if (at === length) return;
        if (chunk[at] !== OPEN_BRACE) throw new ProtocolError(`a message starts with ${show(chunk, at)}, not with "{"`);
      }
      const end = this.scan(chunk, at, ascii);
      this.bytes += end - at;
      if (this.bytes > this.limits.maxMessageBytes) throw new ProtocolError(`a message is longer than ${this.limits.maxMessageBytes} bytes`);
      at = end;
      if (this.depth === 0) this.finish();
    }
  }

  private finish(): void {
    const { text, parts } = this;
    this.text = "";
    if (parts.parts.length > 0) this.parts = new PartCollector();
    this.bytes = 0;
    this.decoder = undefined;
    this.onMessage(text, parts.parts);
  }

  private skipSpace(chunk: Buffer, from: number): number {
    let at = from;
    for (; at < chunk.length; at++) {
      const byte = chunk[at];
      if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) break;
    }
    return at;
  }

  /** Returns the index behind the message's last byte, or the chunk's length when it continues. */
  // oxlint-disable-next-line eslint/max-lines-per-function -- Calls for each byte of a database take too long.
  private scan(chunk: Buffer, from: number, ascii: boolean): number {
    const length = chunk.length;
    // No depth is 0 behind an opening bracket.
    const rowDepth = this.bytes < LONG ? 0 : ROW_DEPTH;
    let taken = from;
    const maxDepth = this.limits.maxDepth;
    let depth = this.depth;
    let inString = this.inString;
    let at = from;
    if (this.escaped && at < length) {
      this.escaped = false;
      at++;
    }
    while (at < length) {
      if (inString) {
        let byte = 0;
        while (at < length && (byte = chunk[at]!) !== QUOTE && byte !== BACKSLASH) at++;
        if (at >= length) break;
        at++;
        if (byte === QUOTE) inString = false;
        else if (at < length) at++;
        else this.escaped = true;
        continue;
      }
      const byte = chunk[at++]!;
      if (byte === QUOTE) {
        inString = true;
      } else if (byte >= 0x5b) {
        // "[" and "{" differ by 0x20, and so do "]" and "}"; which of them closes which is for the parser to judge.
        const folded = byte | 0x20;
        if (folded === 0x7b) {
          if (++depth > maxDepth) throw new ProtocolError(`a message is nested deeper than ${maxDepth}`);
          if (depth === ROW_DEPTH - 1) {
            this.inTable = byte === OPEN_BRACE;
          } else if (depth === rowDepth && byte === OPEN_BRACE && this.inTable) {
            this.text += this.decode(chunk, taken, at - 1, ascii);
            taken = at - 1;
            this.inPart = true;
            this.parts.begin();
          }
        } else if (folded === 0x7d) {
          if (--depth === 0) break;
          if (depth === ROW_DEPTH - 1 && this.inPart) {
            this.parts.append(chunk, taken, at);
            this.text += this.parts.finish();
            taken = at;
            this.inPart = false;
          }
        }
      }
    }
    this.depth = depth;
    this.inString = inString;
    if (this.inPart) this.parts.append(chunk, taken, at);
    else this.text += this.decode(chunk, taken, at, ascii);
    return at;
  }

  private decode(chunk: Buffer, from: number, to: number, ascii: boolean): string {
    if (ascii && this.decoder === undefined) return chunk.toString("latin1", from, to);
    this.decoder ??= new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
    try {
      return this.decoder.decode(chunk.subarray(from, to), { stream: true });
    } catch (cause) {
      throw new ProtocolError("a message is not valid UTF-8", { cause });
    }
  }
}

function show(chunk: Buffer, at: number): string {
  return JSON.stringify(chunk.toString("latin1", at, at + 20));
}
