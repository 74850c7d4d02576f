import fc from "fast-check";
import { Backoff } from "@pulumi-ovn/ovsdb-client/testing";

describe("delays", () => {
  test("double up to the longest one, and start over after a reset", () => {
    const backoff = new Backoff({ initialDelay: 10, maxDelay: 50 }, () => 0);
    expect([1, 2, 3, 4, 5].map(() => backoff.next())).toEqual([10, 20, 40, 50, 50]);
    expect(backoff.next(7)).toBe(7);
    backoff.reset();
    expect(backoff.next()).toBe(10);
  });

  test("are random only in the part reserved for it", () => {
    const options = fc.record({ initialDelay: fc.integer({ min: 1, max: 1000 }), jitter: fc.double({ min: 0, max: 1, noNaN: true }) });
    fc.assert(
      fc.property(options, fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), fc.nat(2000), ({ initialDelay, jitter }, chance, attempts) => {
        const backoff = new Backoff({ initialDelay, jitter, maxDelay: 5000 }, () => chance);
        for (let attempt = 0; attempt < attempts; attempt++) backoff.next();
        const full = Math.min(initialDelay * 2 ** attempts, 5000);
        const delay = backoff.next();
        expect(delay).toBeLessThanOrEqual(full);
        expect(delay).toBeGreaterThanOrEqual(full * (1 - jitter));
      }),
    );
  });
});
