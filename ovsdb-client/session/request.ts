import { AbortError, OutcomeUnknownError, type OvsdbError, ProtocolError } from "../errors";
import { newCall, type Nature } from "../rpc/call";
import { rpcError } from "./server";
import type { Session } from "./session";

export interface Wanted {
  readonly method: string;
  readonly params: readonly unknown[];
  readonly nature: Nature;
  /** On the clock of `performance.now()`. */
  readonly expires: number;
  readonly signal: AbortSignal | undefined;
}

/** A read that the server cancels by itself, during a conversion of the database, is sent so many times in all. */
const TRIES = 3;

/** One call of a program's: what `read` makes of its result. */
export function request<R>(session: Session, { method, params, nature, expires, signal }: Wanted, read: (result: unknown) => R): Promise<R> {
  return new Promise<R>((resolve, reject) => {
    let tries = 1;
    const reply = (result: unknown, error: unknown) => {
      let value: R;
      try {
        if (error !== undefined) throw rpcError(method, error, session.endpoint);
        value = read(result);
      } catch (problem) {
        if (problem instanceof ProtocolError) throw problem;
        if (error !== "canceled") return settle(() => reject(problem));
        if (call.aborted || nature === "write") return settle(() => reject(cancelled(session, call.aborted, signal, nature)));
        if (tries++ === TRIES) return settle(() => reject(problem));
        call = calling();
        return session.send(call);
      }
      settle(() => resolve(value));
    };
    const calling = () => newCall(method, params, nature, expires, { reply, fail: (error) => settle(() => reject(error)) });
    let call = calling();
    // Most calls have no signal, and then pay nothing for it.
    const stop = signal === undefined ? undefined : () => session.abort(call, signal.reason);
    const settle = (how: () => void) => {
      if (stop !== undefined) signal!.removeEventListener("abort", stop);
      how();
    };
    if (signal?.aborted) return reject(new AbortError(`${method} was aborted`, { endpoint: session.endpoint, cause: signal.reason }));
    if (stop !== undefined) signal!.addEventListener("abort", stop, { once: true });
    session.send(call);
  });
}

/**
 * The server has cancelled the call, by itself or because it was asked to. A write that it cancels by itself may have been committed: a
 * relay does so when it loses its source. One that it was asked to cancel may have been passed on already.
 */
function cancelled({ endpoint, behind }: Session, isAborted: boolean, signal: AbortSignal | undefined, nature: Nature): OvsdbError {
  const context = { endpoint, cause: signal?.reason };
  if (!isAborted) return new OutcomeUnknownError("transact was cancelled by the server, which does not say whether it was carried out", context);
  if (behind === undefined || nature !== "write") return new AbortError("transact was aborted", context);
  return new OutcomeUnknownError(`transact was cancelled, but the ${behind} may have passed it on already`, context);
}
