import * as fc from "fast-check";
import { incrementalSort } from "@pulumi-ovn/provider/testing";

interface Item {
  readonly value: number;
}
const byValue = (a: Item, b: Item) => a.value - b.value;

test("lists that follow each other come out as each would by itself, whatever came and went", () => {
  const items = Array.from({ length: 12 }, (_, index): Item => ({ value: (index * 7) % 12 }));
  fc.assert(
    fc.property(fc.array(fc.shuffledSubarray(items), { maxLength: 6 }), (lists) => {
      const sort = incrementalSort(byValue);
      for (const list of lists) expect(sort(list)).toEqual(list.toSorted(byValue));
    }),
  );
});

test("what is in a list twice is twice in the result", () => {
  const [one, two] = [{ value: 1 }, { value: 2 }];
  const sort = incrementalSort(byValue);
  expect(sort([two, one])).toEqual([one, two]);
  expect(sort([two, one, two])).toEqual([one, two, two]);
  expect(sort([two, one])).toEqual([one, two]);
});

test("a list that hardly differs from the one before costs one pass, and the list given stays as it is", () => {
  let compared = 0;
  const sort = incrementalSort<Item>((a, b) => (compared++, byValue(a, b)));
  const list = Array.from({ length: 1_024 }, (_, index): Item => ({ value: (index * 389) % 1_024 }));
  sort(list);
  const copy = [...list];
  compared = 0;
  const more = { value: 500.5 };
  expect(sort([more, ...list]).indexOf(more)).toBe(501);
  expect(compared).toBeLessThan(1_100);
  expect(list).toEqual(copy);
});
