import * as fc from "fast-check";
import { incrementalSort } from "@pulumi-ovn/provider/testing";

interface Item {
  readonly value: number;
}
const byValue = (a: Item, b: Item) => a.value - b.value;

test("sorts each list as if it were the first, whatever earlier lists contained", () => {
  const items = Array.from({ length: 12 }, (_, index): Item => ({ value: (index * 7) % 12 }));
  fc.assert(
    fc.property(fc.array(fc.shuffledSubarray(items), { maxLength: 6 }), (lists) => {
      const sort = incrementalSort(byValue);
      for (const list of lists) expect(sort(list)).toEqual(list.toSorted(byValue));
    }),
  );
});

test("keeps duplicates", () => {
  const [one, two] = [{ value: 1 }, { value: 2 }];
  const sort = incrementalSort(byValue);
  expect(sort([two, one])).toEqual([one, two]);
  expect(sort([two, one, two])).toEqual([one, two, two]);
  expect(sort([two, one])).toEqual([one, two]);
});

test("sorts a slightly changed list in one pass, and does not change its argument", () => {
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
