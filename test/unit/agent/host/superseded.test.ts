import { Superseded, unlessSuperseded } from "@pulumi-ovn/agent/testing";

/** Work that ends when the test ends them, or with its signal. */
function work() {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const seen: { signal?: AbortSignal } = {};
  const run = (signal: AbortSignal) => {
    seen.signal = signal;
    signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
    return promise;
  };
  return { run, seen, resolve };
}

test("work that is not superseded returns its result, and leaves no listener", async () => {
  const newer = new AbortController();
  const { run, seen, resolve } = work();
  const done = unlessSuperseded(newer.signal, () => true, undefined, run);
  resolve("done");
  expect(await done).toBe("done");
  newer.abort();
  expect(seen.signal!.aborted).toBe(false);
});

test("superseded work ends with its programs, before the start or while it runs; protected work continues", async () => {
  for (const early of [true, false]) {
    const newer = new AbortController();
    if (early) newer.abort();
    const { run, seen } = work();
    const done = unlessSuperseded(newer.signal, () => true, new AbortController().signal, run);
    newer.abort();
    await expect(done).rejects.toThrow(Superseded);
    expect(seen.signal!.aborted).toBe(true);

    const { run: other, seen: its, resolve } = work();
    const goes = unlessSuperseded(newer.signal, () => false, undefined, other);
    resolve("done");
    expect([await goes, its.signal!.aborted]).toEqual(["done", false]);
  }
});

test("errors of the work, and the outer signal's reason, are returned unchanged", async () => {
  const outer = new AbortController();
  const { run } = work();
  const done = unlessSuperseded(new AbortController().signal, () => true, outer.signal, run);
  outer.abort(new Error("the end"));
  await expect(done).rejects.toThrow("the end");
});
