import fc from "fast-check";
import type { Atom } from "@pulumi-ovn/ovsdb-client";
import { applySorted } from "@pulumi-ovn/ovsdb-client/testing";

/** As OVS sorts strings: by the bytes of their UTF-8. */
const byBytes = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));
const set = (items: readonly string[]) => [...new Set(items)].sort(byBytes);
const flat = (map: ReadonlyMap<string, string>) => [...map].sort(([a], [b]) => byBytes(a, b)).flat();
// Surrogate pairs sort behind U+FFFF by their bytes, and before it by JavaScript's own order.
const text = fc.string({ unit: fc.constantFrom("a", "b", "é", "\ufffd", "\u{1F600}"), maxLength: 3 });

describe("differences of sorted lists", () => {
  test("lead from any set to any other", () => {
    fc.assert(
      fc.property(fc.array(text).map(set), fc.array(text).map(set), (before, after) => {
        const difference = [...before.filter((item) => !after.includes(item)), ...after.filter((item) => !before.includes(item))];
        expect(applySorted(before, difference, 1)).toEqual(after);
        expect(applySorted(after, difference.reverse(), 1)).toEqual(before);
      }),
    );
  });

  test("lead from any map to any other", () => {
    const map = fc.array(fc.tuple(text, fc.constantFrom("1", "2"))).map((pairs) => new Map(pairs));
    fc.assert(
      fc.property(map, map, (before, after) => {
        const gone = [...before].filter(([key]) => !after.has(key));
        const changed = [...after].filter(([key, value]) => before.get(key) !== value);
        expect(applySorted(flat(before), [...changed, ...gone].flat(), 2)).toEqual(flat(after));
      }),
    );
  });

  test.each<[Atom[], Atom[], Atom[]]>([
    [
      [-5, 0, 7],
      [-9, 7, 8],
      [-9, -5, 0, 8],
    ],
    [
      [-(2n ** 60n), -1, 5],
      [2n ** 60n, -(2n ** 60n)],
      [-1, 5, 2n ** 60n],
    ],
    [[0.5, 1.5], [1], [0.5, 1, 1.5]],
    [[false], [true], [false, true]],
    [[false, true], [false], [true]],
  ])("%p and %p", (before, difference, after) => {
    expect(applySorted(before, difference, 1)).toEqual(after);
  });

  test("count a repeated atom once", () => {
    expect(applySorted(["a", "b"], ["b", "b", "c", "c"], 1)).toEqual(["a", "c"]);
    expect(applySorted(["a", "1"], ["a", "1", "a", "2"], 2)).toEqual([]);
  });

  test("do not change the former list", () => {
    const before = Object.freeze(["a", "b"]);
    expect(applySorted(before, ["b"], 1)).toEqual(["a"]);
  });

  test("of one member in 50,000 cost a comparison for each halving", () => {
    const most = 2 * 16 * "m000005x".length;
    const members = Array.from({ length: 50_000 }, (_, at) => `m${String(at).padStart(6, "0")}`);
    const reads = jest.spyOn(String.prototype, "charCodeAt");
    const added = applySorted(members, ["m000005x"], 1);
    const count = reads.mock.calls.length;
    reads.mockRestore();
    expect([count > 0, count <= most]).toEqual([true, true]);
    expect([added.length, added[6]]).toEqual([50_001, "m000005x"]);
  });
});
