import type { OvsdbError } from "../errors";
import { stringifyJson } from "../framing/json";

/**
 * Effect of a lost connection on a call.
 * - read: writes nothing, so it is sent again on the next connection
 * - write: never sent twice; once sent, its outcome is unknown without a reply
 * - session: sets up this connection (a monitor, a lock) and ends with it
 */
export type Nature = "read" | "write" | "session";

/** One request on its way: waiting to be sent, or sent and waiting for its reply. */
export interface Call {
  readonly id: number;
  readonly method: string;
  readonly nature: Nature;
  /** The whole request. */
  readonly text: string;
  /** On the clock of `performance.now()`. */
  expires: number;
  /** Passed to the transport: from here on only the server knows the outcome. */
  sent: boolean;
  /** Its promise is settled. */
  done: boolean;
  /** Its caller has asked to stop it. */
  aborted: boolean;
  /** Rows of a long reply are handed over as they came, to be parsed one by one (see `framing/parts.ts`). */
  readonly takesParts: boolean;
  /** Reads the reply. Throws a ProtocolError, and leaves the call open, for an invalid reply. */
  reply(result: unknown, error: unknown): void;
  fail(error: OvsdbError): void;
}

export interface CallHandlers {
  readonly takesParts?: boolean;
  reply(result: unknown, error: unknown): void;
  fail(error: OvsdbError): void;
}

let lastId = 0;

/** Ids are unique in the process, so that a reply can never be taken for another connection's. */
export function newCall(method: string, params: readonly unknown[], nature: Nature, expires: number, handlers: CallHandlers): Call {
  return new PendingCall(++lastId, method, nature, stringifyJson(params), expires, handlers);
}

class PendingCall implements Call {
  readonly text: string;
  readonly takesParts: boolean;
  sent = false;
  done = false;
  aborted = false;

  constructor(
    readonly id: number,
    readonly method: string,
    readonly nature: Nature,
    params: string,
    public expires: number,
    private readonly handlers: CallHandlers,
  ) {
    this.takesParts = handlers.takesParts === true;
    this.text = `{"id":${id},"method":${JSON.stringify(method)},"params":${params}}`;
  }

  reply(result: unknown, error: unknown): void {
    this.handlers.reply(result, error);
    this.done = true;
  }

  fail(error: OvsdbError): void {
    if (this.done) return;
    this.done = true;
    this.handlers.fail(error);
  }
}
