import { ConnectionError, OvsdbError, ProtocolError } from "../errors";
import { Framer, type FramerLimits } from "../framing/framer";
import { parseJson, stringifyJson } from "../framing/json";
import { type Part, placeParts } from "../framing/parts";
import type { Transport } from "../transport/transport";
import type { Call } from "./call";
import { Probe } from "./probe";

export interface ConnectionHandlers {
  notification(method: string, params: readonly unknown[]): void;
  /** Once, and last. Hands over the calls that are still open. */
  closed(error: OvsdbError, calls: Call[]): void;
  /** The last open call was answered. */
  idle(): void;
}

export interface ConnectionOptions extends FramerLimits {
  /** Milliseconds of silence before the server is asked for a sign of life; 0: never. */
  readonly probeInterval: number;
}

/** Bytes handed to the transport in one piece: the rest can still be taken back when the connection breaks. */
const BATCH = 256 * 1024;
/** Limit of outstanding replies to abandoned calls; beyond it the connection is closed. */
const MAX_ABANDONED = 10_000;

/** JSON-RPC (RFC 7047 section 4) on one byte stream. */
export class Connection {
  private readonly framer: Framer;
  private readonly probe: Probe;
  /** By id; undefined: abandoned, its reply is of no interest. */
  private readonly waiting = new Map<number, Call | undefined>();
  private outbox: Call[] = [];
  private notes = "";
  private scheduled = false;
  private congested = false;
  private abandoned = 0;
  private failure: OvsdbError | undefined;

  constructor(
    readonly endpoint: string,
    private readonly transport: Transport,
    private readonly options: ConnectionOptions,
    private readonly handlers: ConnectionHandlers,
  ) {
    this.framer = new Framer(options, (text, parts) => this.message(parseJson(text), parts));
    this.probe = new Probe(
      options.probeInterval,
      () => this.notify(`{"id":"echo","method":"echo","params":[]}`),
      () => this.fail(new ConnectionError(`no sign of life within ${2 * options.probeInterval} ms`, { endpoint })),
    );
    transport.start({
      data: (chunk) => this.data(chunk),
      drain: () => this.drained(),
      closed: (error) => this.closed(error),
    });
  }

  /** Why the connection is of no use any more, if so. */
  get broken(): OvsdbError | undefined {
    return this.failure;
  }

  /** Are calls in progress? */
  get busy(): boolean {
    return this.waiting.size > this.abandoned || this.outbox.length > 0;
  }

  *calls(): Iterable<Call> {
    yield* this.outbox;
    for (const call of this.waiting.values()) if (call !== undefined) yield call;
  }

  send(call: Call): void {
    this.outbox.push(call);
    this.schedule();
  }

  /** Sends a message without a reply. */
  notify(text: string): void {
    this.notes += text;
    this.schedule();
  }

  /** Takes the calls that another connection can do: unsent calls and reads. */
  takeUnfinished(): Call[] {
    const reads = [...this.waiting.values()].filter((call) => call?.nature === "read") as Call[];
    const unsent = this.outbox.filter((call) => !call.done);
    this.outbox = [];
    for (const call of reads) this.abandon(call);
    return [...reads, ...unsent];
  }

  /** Abandons a call. The server is asked to cancel its waiting transaction. */
  abandon(call: Call): void {
    if (this.waiting.get(call.id) !== call) return;
    this.waiting.set(call.id, undefined);
    this.cancel(call);
    if (++this.abandoned > MAX_ABANDONED) this.fail(new ProtocolError(`${MAX_ABANDONED} calls were not answered`, { endpoint: this.endpoint }));
    if (!this.busy) this.handlers.idle();
  }

  /** Cancels a transaction (RFC 7047 section 4.1.4). The transaction's own reply reports the outcome. */
  cancel(call: Call): void {
    if (call.method === "transact" && this.waiting.has(call.id)) this.notify(`{"id":null,"method":"cancel","params":[${call.id}]}`);
  }

  ref(): void {
    this.transport.ref();
  }

  unref(): void {
    this.transport.unref();
  }

  /** Closes the connection; `closed` is called when the transport has released everything. */
  fail(error: OvsdbError): void {
    if (this.failure !== undefined) return;
    this.failure = error;
    this.probe.stop();
    void this.transport.close();
  }

  close(error: OvsdbError): Promise<void> {
    this.fail(error);
    return this.transport.close();
  }

  private schedule(): void {
    if (this.scheduled || this.congested) return;
    this.scheduled = true;
    // All calls of this turn of the event loop, and of the promises it settles, go out in one write.
    process.nextTick(() => this.flush());
  }

  private flush(): void {
    this.scheduled = false;
    if (this.failure !== undefined) return;
    let text = this.notes;
    this.notes = "";
    let taken = 0;
    for (; taken < this.outbox.length && text.length < BATCH; taken++) {
      const call = this.outbox[taken]!;
      if (call.done) continue;
      call.sent = true;
      this.waiting.set(call.id, call);
      text += call.text;
    }
    if (taken === this.outbox.length) this.outbox = [];
    else this.outbox.splice(0, taken);
    if (text !== "") this.congested = !this.transport.write(text);
    if (this.outbox.length > 0) this.schedule();
  }

  private drained(): void {
    this.congested = false;
    if (this.outbox.length > 0 || this.notes !== "") this.schedule();
  }

  private data(chunk: Buffer): void {
    if (this.failure !== undefined) return;
    this.probe.received();
    try {
      this.framer.push(chunk);
    } catch (error) {
      // An error caused by a message ends this connection, not the process.
      const problem = error instanceof OvsdbError ? error.message : `a message that makes no sense: ${error}`;
      this.fail(new ProtocolError(problem, { endpoint: this.endpoint, cause: error }));
    }
  }

  private message(message: unknown, parts: (Part | undefined)[]): void {
    // Messages behind one that broke the connection, in the same chunk.
    if (this.failure !== undefined) return;
    if (parts.length > 0) placeParts(message, parts, this.readsRows(message) ? (part) => part : (part) => part.parse());
    const { id, method, params, result, error } = message as Record<string, unknown>;
    if (method === undefined) {
      this.reply(id, result, error);
    } else if (typeof method !== "string" || !Array.isArray(params)) {
      throw new ProtocolError(`a request without a method's name and a list of parameters`);
    } else if (id === null || id === undefined) {
      this.handlers.notification(method, params);
    } else if (method === "echo") {
      this.answer(`{"id":${stringifyJson(id)},"result":${stringifyJson(params)},"error":null}`);
    } else {
      this.answer(`{"id":${stringifyJson(id)},"result":null,"error":"unknown method"}`);
    }
  }

  /** A server that asks on and on, and reads nothing, must not fill our memory. */
  private answer(text: string): void {
    this.notify(text);
    if (this.notes.length > this.options.maxMessageBytes) throw new ProtocolError("the server does not read the answers to what it asks");
  }

  /** Whether rows of the message are parsed one by one. */
  private readsRows(message: unknown): boolean {
    const { id, method } = message as Record<string, unknown>;
    return method === undefined ? this.waiting.get(id as number)?.takesParts === true : String(method).startsWith("update");
  }

  private reply(id: unknown, result: unknown, error: unknown): void {
    if (id === "echo") return;
    const call = this.waiting.get(id as number);
    if (call !== undefined) call.reply(result, error ?? undefined);
    else if (this.waiting.has(id as number)) this.abandoned--;
    else throw new ProtocolError(`a reply with id ${stringifyJson(id ?? null)}, which no call has`);
    this.waiting.delete(id as number);
    if (!this.busy) this.handlers.idle();
  }

  private closed(error: Error | undefined): void {
    this.probe.stop();
    const cut = this.framer.incomplete ? " in the middle of a message" : "";
    this.failure ??= new ConnectionError(`the connection was closed${cut}${error === undefined ? "" : `: ${error.message}`}`, {
      endpoint: this.endpoint,
      cause: error,
    });
    const open = [...this.calls()].filter((call) => !call.done);
    this.outbox = [];
    this.waiting.clear();
    this.handlers.closed(this.failure, open);
  }
}
