/** Ends work that a newer state makes unnecessary. */
export class Superseded extends Error {}

/**
 * Runs work that a newer state can end. Throws Superseded as soon as `newer` is aborted and `gives` returns true; its programs end, too.
 *
 * @param outer ends it in any case
 */
export async function unlessSuperseded<T>(
  newer: AbortSignal,
  gives: () => boolean,
  outer: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const ending = new AbortController();
  const { promise: superseded, reject } = Promise.withResolvers<never>();
  const end = () => {
    if (!gives()) return;
    const reason = new Superseded();
    reject(reason);
    ending.abort(reason);
  };
  newer.addEventListener("abort", end, { once: true });
  const done = work(AbortSignal.any([ending.signal, ...(outer ? [outer] : [])]));
  if (newer.aborted) end();
  try {
    return await Promise.race([superseded, done]);
  } finally {
    newer.removeEventListener("abort", end);
  }
}
