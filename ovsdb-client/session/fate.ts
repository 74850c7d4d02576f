import { AbortError, ConnectionError, TimeoutError, OutcomeUnknownError, OvsdbError, ProtocolError } from "../errors";
import type { Call } from "../rpc/call";

/** Decides what is known about a call without a reply. Pure; the session acts on the result. */

/** Error of a call whose connection is lost. Undefined if the call is sent (again) on the next connection. */
export function lost(call: Call, error: OvsdbError, reconnects: boolean): OvsdbError | undefined {
  const context = { endpoint: error.endpoint, cause: error };
  if (call.aborted && call.nature === "write" && call.sent)
    return new OutcomeUnknownError(`${call.method} was aborted, and the connection was lost: ${error.message}`, context);
  if (call.nature === "session") return error;
  if (call.sent && call.nature === "write") return new OutcomeUnknownError(`${call.method} was sent, and no reply came: ${error.message}`, context);
  // Sending a read again to a server that answers it with garbage would only hide what is wrong.
  if (call.sent && error instanceof ProtocolError) return error;
  return reconnects ? undefined : error;
}

/** The error of a call whose time is up. `lastError`: why there was no connection, if so. */
export function expired(call: Pick<Call, "method" | "nature" | "sent" | "aborted">, endpoint: string, lastError: OvsdbError | undefined): OvsdbError {
  if (!call.sent) {
    const why = lastError?.message ?? "the server takes no more";
    return new ConnectionError(`${call.method} could not be sent within its timeout: ${why}`, { endpoint, cause: lastError });
  }
  if (call.nature !== "write") return new TimeoutError(`${call.method}: no reply within the timeout`, { endpoint });
  const what = call.aborted ? "was aborted, and the server did not say what became of it" : "was sent, and no reply came within the timeout";
  return new OutcomeUnknownError(`${call.method} ${what}`, { endpoint });
}

export function aborted(call: Pick<Call, "method">, reason: unknown, endpoint: string): AbortError {
  const { message = reason } = (reason ?? {}) as { message?: unknown };
  const why = typeof message === "string" ? `: ${message}` : "";
  return new AbortError(`${call.method} was aborted${why}`, { endpoint, cause: reason });
}
