/** Output of a program's stream since it was last taken. */
export class Printed {
  #chunks: Buffer[] = [];
  /** The end of what was looked through, with which the text that is waited for may begin. */
  #edge: Buffer = NOTHING;
  #until: string | undefined;
  #isWhole = false;

  /** The text that is waited for; undefined: the stream's end. */
  set until(text: string | undefined) {
    this.#until = text;
    this.#isWhole = false;
    this.#edge = NOTHING;
  }

  /** Whether the text that is waited for is there. */
  get isWhole(): boolean {
    return this.#isWhole;
  }

  /** Whether the text that is waited for has come. */
  add(chunk: Buffer): boolean {
    this.#chunks.push(chunk);
    if (this.#until === undefined || this.#isWhole) return false;
    const text = Buffer.concat([this.#edge, chunk]);
    this.#edge = text.subarray(Math.max(0, text.length - this.#until.length + 1));
    return (this.#isWhole = text.includes(this.#until));
  }

  take(): string {
    const text = Buffer.concat(this.#chunks).toString();
    this.#chunks = [];
    return text;
  }
}

const NOTHING = Buffer.alloc(0);
