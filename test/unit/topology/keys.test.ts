import fc from "fast-check";
import { allocate, tunnelKeyPoolSchema } from "@pulumi-ovn/provider";
import { validate } from "@pulumi-ovn/provider/testing";
import { complaints } from "../../support/refusals";

const range = { first: 100, last: 109 };

describe("tunnel keys", () => {
  test("are the lowest free ones, in the order of owners' names", () => {
    expect(allocate({ assigned: {}, counts: { red: 1, blue: 2 }, range })).toEqual({ blue: [100, 101], red: [102] });
  });

  test("stay, whatever owners are added or removed", () => {
    const first = allocate({ assigned: {}, counts: { blue: 2, green: 1, red: 2 }, range });
    const second = allocate({ assigned: first, counts: { amber: 1, blue: 2, red: 2 }, range });
    expect(second).toEqual({ blue: first.blue, red: first.red, amber: [105] });
  });

  test("stay if an owner requests more", () => {
    expect(allocate({ assigned: { blue: [105] }, counts: { blue: 3 }, range })).toEqual({ blue: [105, 100, 101] });
  });

  test("of a removed owner are reused in the same step only if no others are free", () => {
    const held = { old: [100, 101] };
    expect(allocate({ assigned: held, counts: { blue: 2 }, range })).toEqual({ blue: [102, 103] });
    expect(allocate({ assigned: held, counts: { blue: 9 }, range }).blue).toEqual([102, 103, 104, 105, 106, 107, 108, 109, 100]);
    expect(allocate({ assigned: {}, counts: { blue: 2 }, range })).toEqual({ blue: [100, 101] });
  });

  test("from elsewhere are kept, and assigned to no other owner", () => {
    expect(allocate({ assigned: { legacy: [54], blue: [100] }, counts: { legacy: 2, blue: 1, red: 1 }, range })).toEqual({
      blue: [100],
      legacy: [54, 101],
      red: [102],
    });
  });

  test("are refused with the reason", () => {
    expect(complaints(() => allocate({ assigned: {}, counts: { blue: 10, red: 1 }, range }))).toEqual([
      'owners.red: no tunnel key is left for "red": all of 100 to 109 are given out',
    ]);
    expect(complaints(() => allocate({ assigned: { blue: [100, 101] }, counts: { blue: 1 }, range }))).toEqual([
      'owners.blue: "blue" holds 2 tunnel keys and can\'t have fewer: 1 asked for',
    ]);
    expect(complaints(() => allocate({ assigned: { blue: [100], red: [100] }, counts: { blue: 1, red: 1 }, range }))).toEqual([
      'owners.red: tunnel key 100 of "red" is held by "blue" too',
    ]);
  });

  test("may have an owner with the name of an object's member", () => {
    expect(allocate({ assigned: {}, counts: { constructor: 1 }, range })).toEqual({ constructor: [100] });
  });

  const wanted = fc.dictionary(fc.constantFrom("a", "b", "c", "d", "e", "f"), fc.integer({ min: 1, max: 4 }), { noNullPrototype: true });

  test("are different, in the range, and constant in any history", () => {
    fc.assert(
      fc.property(fc.array(wanted, { minLength: 1, maxLength: 8 }), (history) => {
        let held: Record<string, number[]> = {};
        for (const step of history) {
          const asked = Object.fromEntries(Object.entries(step).map(([owner, count]) => [owner, Math.max(count, held[owner]?.length ?? 0)]));
          const given = allocate({ assigned: held, counts: asked, range: { first: 1, last: 24 } });
          const keys = Object.values(given).flat();
          expect(new Set(keys).size).toBe(keys.length);
          expect(keys.every((key) => key >= 1 && key <= 24)).toBe(true);
          for (const [owner, count] of Object.entries(asked)) {
            expect(given[owner]).toHaveLength(count);
            expect(given[owner]!.slice(0, held[owner]?.length ?? 0)).toEqual(held[owner] ?? []);
          }
          held = given;
        }
      }),
    );
  });

  test("arguments of the pool", () => {
    expect(tunnelKeyPoolSchema.parse({ owners: { blue: 2 } })).toEqual({ owners: { blue: 2 }, range: { first: 16_715_779, last: 16_777_215 }, fixed: {} });
    const wrong = (args: unknown) => validate(tunnelKeyPoolSchema, args).map(({ path, message }) => `${path}: ${message}`);
    expect(wrong({ owners: { blue: 0 } })).toEqual(["owners.blue: must be at least 1"]);
    expect(wrong({ owners: {}, range: { first: 5, last: 4 } })).toEqual(["range: first is after last"]);
    expect(wrong({ owners: {}, fixed: { blue: [0] } })).toEqual(["fixed.blue[0]: tunnel key 0 is out of range: 1 to 16777215"]);
  });
});
