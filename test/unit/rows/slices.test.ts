import type { DesiredRow } from "@pulumi-ovn/provider";
import { changed, MOST_ROWS_AT_ONCE, slices } from "@pulumi-ovn/provider/testing";

const holder: DesiredRow = { table: "Switch", key: "s", columns: {} };
const leaf = (index: number, value = 0): DesiredRow => ({
  table: "Port",
  key: `p${index}`,
  columns: { value },
  parent: { table: "Switch", row: { table: "Switch", key: "s" }, column: "ports" },
});
const leaves = (count: number, value = 0) => Array.from({ length: count }, (_, index) => leaf(index, value));

describe("slices", () => {
  it("are one slice up to the limit", () => {
    const [desired, previous] = [leaves(MOST_ROWS_AT_ONCE), [holder]];
    expect(slices(desired, previous)).toEqual([{ desired, previous }]);
  });

  it("begin with parents and deletions; each slice has its own earlier rows", () => {
    const desired = [...leaves(1001), holder];
    const previous = [leaf(0, 1), leaf(250, 1), leaf(1000, 1), leaf(2000, 1), holder];
    const expected = [
      { desired: [holder], previous: [holder, leaf(2000, 1)] },
      ...[0, 200, 400, 600, 800, 1000].map((start) => ({
        desired: leaves(1001).slice(start, start + 200),
        previous: [leaf(0, 1), leaf(250, 1), leaf(1000, 1)].filter(({ key }) => Number(key.slice(1)) >= start && Number(key.slice(1)) < start + 200),
      })),
    ];
    expect(slices(desired, previous)).toEqual(expected);
  });

  it("have no earlier rows in a create", () => {
    const all = leaves(1001);
    const expected = [
      { desired: [holder], previous: [] },
      ...[0, 200, 400, 600, 800, 1000].map((start) => ({ desired: all.slice(start, start + 200), previous: [] })),
    ];
    expect(slices([...all, holder], [])).toEqual(expected);
  });

  it("contain rows of two tables with one key", () => {
    // The switch is called as one of its ports, which goes with the other leaves; a port that went is not a switch that stays.
    const [self, own] = [
      { table: "Switch", key: "p7" },
      { ...holder, key: "p7" },
    ];
    const all = leaves(1001).map((row) => ({ ...row, parent: { ...row.parent!, row: self } }));
    const [first, second] = slices([own, ...all], [own, { ...holder, key: "p9" }]);
    expect(first).toEqual({ desired: [own], previous: [own, { ...holder, key: "p9" }] });
    expect(second).toEqual({ desired: all.slice(0, 200), previous: [] });
  });
});

describe("changed", () => {
  it("is empty for equal versions in any order", () => {
    expect(changed({ desired: leaves(5), previous: leaves(5) })).toEqual({ desired: [], previous: [] });
    expect(changed({ desired: leaves(5), previous: leaves(5).reverse() })).toEqual({ desired: [], previous: [] });
  });

  it("contains added, removed and changed rows", () => {
    const previous = [leaf(0), leaf(1), leaf(2), leaf(3), leaf(4)];
    const desired = [leaf(0, 9), leaf(1), leaf(5), leaf(3, 9), leaf(4)];
    expect(changed({ desired, previous })).toEqual({ desired: [leaf(0, 9), leaf(3, 9), leaf(5)], previous: [leaf(0), leaf(3), leaf(2)] });
  });

  it.each<[unknown, unknown]>([
    [["a"], ["a", "b"]],
    [
      ["a", "b"],
      ["b", "a"],
    ],
    [{ map: { a: "1" } }, { map: { a: "1", b: "2" } }],
    [{ map: { a: "1", b: "2" } }, { map: { a: "1" } }],
    [null, []],
    [1, "1"],
    [{ map: {} }, []],
    [["a"], { map: { 0: "a" } }],
    [{ map: { toString: "x" } }, { map: { a: "x" } }],
  ])("distinguishes %j and %j", (value, other) => {
    const row = (given: unknown) => ({ ...holder, columns: { value: given } }) as DesiredRow;
    expect(changed({ desired: [row(value)], previous: [row(other)] })).toEqual({ desired: [row(value)], previous: [row(other)] });
    expect(changed({ desired: [row(value)], previous: [row(structuredClone(value))] })).toEqual({ desired: [], previous: [] });
  });
});
