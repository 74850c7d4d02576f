import fc from "fast-check";
import { portRange, rangeMasks, readRange } from "@pulumi-ovn/provider/testing";

const range = fc
  .tuple(fc.integer({ min: 1, max: 65_535 }), fc.integer({ min: 1, max: 65_535 }))
  .map(([a, b]) => ({ first: Math.min(a, b), last: Math.max(a, b) }));

/** The least number of aligned blocks: a range splits where its ends leave the largest block that holds them. */
function fewest(first: number, last: number, start = 0, size = 65_536): number {
  if (first === start && last === start + size - 1) return 1;
  const half = size / 2;
  const middle = start + half;
  if (last < middle) return fewest(first, last, start, half);
  if (first >= middle) return fewest(first, last, middle, half);
  return fewest(first, middle - 1, start, half) + fewest(middle, last, middle, half);
}

test("a range's masks match each of its ports once, no other, and are as few as possible", () => {
  fc.assert(
    fc.property(range, ({ first, last }) => {
      const hits = new Uint8Array(65_536);
      const masks = rangeMasks({ first, last });
      for (const { value, mask } of masks) {
        expect(value & ~mask).toBe(0);
        for (let port = value; port <= value + (65_535 - mask); port++) hits[port]! += 1;
      }
      for (let port = 0; port <= 65_535; port++)
        if (hits[port] !== (port >= first && port <= last ? 1 : 0)) throw new Error(`port ${port} of ${first}-${last}: ${hits[port]}`);
      expect(masks).toHaveLength(fewest(first, last));
    }),
    { numRuns: 200 },
  );
});

test.each([
  [1, 1, [[1, 0xffff]]],
  [80, 80, [[80, 0xffff]]],
  [65_535, 65_535, [[65_535, 0xffff]]],
  [
    8000,
    8079,
    [
      [8000, 0xffc0],
      [8064, 0xfff0],
    ],
  ],
  [
    1,
    65_535,
    [
      [1, 0xffff],
      [2, 0xfffe],
      [4, 0xfffc],
      [8, 0xfff8],
      [16, 0xfff0],
      [32, 0xffe0],
      [64, 0xffc0],
      [128, 0xff80],
      [256, 0xff00],
      [512, 0xfe00],
      [1024, 0xfc00],
      [2048, 0xf800],
      [4096, 0xf000],
      [8192, 0xe000],
      [16_384, 0xc000],
      [32_768, 0x8000],
    ],
  ],
])("%i to %i", (first, last, expected) => {
  expect(rangeMasks({ first, last }).map(({ value, mask }) => [value, mask])).toEqual(expected);
});

test("one port and both ends of a range", () => {
  expect(readRange("443")).toEqual({ first: 443, last: 443 });
  expect(readRange("1-65535")).toEqual({ first: 1, last: 65_535 });
});

test.each(["", "0", "0-5", "65536", "1-65536", "9-8", "80,443", "-80", "80-", " 80", "8e1", "a"])("%j is not a range", (text) => {
  expect(readRange(text)).toBeUndefined();
  expect(portRange.safeParse(text).error?.issues[0]).toMatchObject({
    code: "custom",
    params: { code: "port-range" },
    message: `${JSON.stringify(text)} is not a range of ports: expected one such as "443", or two from 1 to 65535 such as "8000-8079"`,
  });
});
