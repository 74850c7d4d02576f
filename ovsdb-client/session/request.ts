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

/** One call of a program's: what `read` makes of its result. */
export function request<R>(session: Session, { method, params, nature, expires, signal }: Wanted, read: (result: unknown) => R): Promise<R> {
  return new Promise<R>((resolve, reject) => {
    const call = newCall(method, params, nature, expires, {
      reply: (result, error) => {
        let value: R;
        try {
          if (error !== undefined) throw rpcError(method, error, session.endpoint);
          value = read(result);
        } catch (problem) {
          if (problem instanceof ProtocolError) throw problem;
          return settle(() => reject(call.aborted && error === "canceled" ? cancelled(session, signal, nature) : problem));
        }
        settle(() => resolve(value));
      },
      fail: (error) => settle(() => reject(error)),
    });
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

/** The server dropped the transaction; others may have got it from there already. */
function cancelled({ endpoint, behind }: Session, signal: AbortSignal | undefined, nature: Nature): OvsdbError {
  const context = { endpoint, cause: signal?.reason };
  if (behind === undefined || nature !== "write") return new AbortError("transact was aborted", context);
  return new OutcomeUnknownError(`transact was cancelled, but the ${behind} may have passed it on already`, context);
}
