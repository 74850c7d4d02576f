import fc from "fast-check";
import { parseSchema, ProtocolError, SchemaError, TableCache, type Atom } from "@pulumi-ovn/ovsdb-client";
import { applyContents, applyDifference, applyUpdates, CellReader, cellValue, defaultCell, sameCell } from "@pulumi-ovn/ovsdb-client/testing";
import { testSchema } from "../../support/ovsdb-schema";

const types = parseSchema(testSchema).table("Types");

describe("cells", () => {
  test.each([
    ["name", ""],
    ["truth", false],
    ["count", 0],
    ["id", "00000000-0000-0000-0000-000000000000"],
    ["maybe_name", null],
    ["names", []],
    ["pair", [0]],
    ["options", []],
  ])("default of %s", (column, cell) => {
    expect(defaultCell(types.column(column))).toEqual(cell);
  });

  test("a map is a flat list", () => {
    const pairs = Object.entries({ a: "1", b: "2" });
    expect(new CellReader(types.column("options"), 0).read(["map", pairs])).toEqual(["a", "1", "b", "2"]);
  });

  /** As `select` reads it, or its error. */
  const outcome = (read: () => unknown): unknown => {
    try {
      return read();
    } catch (error) {
      return [(error as Error).name, (error as Error).message];
    }
  };
  test("a monitor reads every form of a column as a select does", () => {
    const atom = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(["uuid", "00000000-0000-0000-0000-000000000001"]), fc.constant(null));
    const wire = fc.oneof(
      atom,
      fc.array(atom, { maxLength: 3 }).map((atoms) => ["set", atoms]),
      fc.array(fc.array(atom, { minLength: 1, maxLength: 3 }), { maxLength: 3 }).map((pairs) => ["map", pairs]),
      fc.jsonValue(),
    );
    fc.assert(
      fc.property(fc.constantFrom(...types.columns.values()), wire, (column, value) => {
        const reader = new CellReader(column, 0);
        const read = () => outcome(() => cellValue(reader.read(value), column));
        expect(read()).toEqual(outcome(() => column.decode(value)));
        expect(read()).toEqual(outcome(() => column.decode(value)));
      }),
      { numRuns: 2000 },
    );
  });

  const numbers = fc.uniqueArray(fc.integer({ min: 0, max: 20 })).map((list) => list.sort((a, b) => a - b));
  test("sets: the difference of any two leads from one to the other", () => {
    fc.assert(
      fc.property(numbers, numbers, (before, after) => {
        const difference = [...before.filter((n) => !after.includes(n)), ...after.filter((n) => !before.includes(n))];
        expect(applyDifference(before, difference, types.column("counts"))).toEqual(after);
      }),
    );
  });

  test("maps: the difference of any two leads from one to the other", () => {
    const map = fc.dictionary(fc.constantFrom("a", "b", "c", "d"), fc.constantFrom("1", "2"), { noNullPrototype: true });
    const flat = (object: Record<string, string>): Atom[] =>
      Object.entries(object)
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .flat();
    fc.assert(
      fc.property(map, map, (before, after) => {
        const gone = Object.entries(before).filter(([key]) => !(key in after));
        const changed = Object.entries(after).filter(([key, value]) => before[key] !== value);
        expect(applyDifference(flat(before), [...gone, ...changed].flat(), types.column("options"))).toEqual(flat(after));
      }),
    );
  });

  test("columns of at most one element have their new value", () => {
    expect(applyDifference("a", "b", types.column("name"))).toBe("b");
    expect(applyDifference(1, null, types.column("maybe_count"))).toBe(null);
  });

  test("equality", () => {
    expect([sameCell([1], [1]), sameCell([1], [2]), sameCell([1], [1, 2]), sameCell(1, [1]), sameCell(null, null)]).toEqual([true, false, false, false, true]);
  });
});

describe("cache of a table", () => {
  const tables = () => new Map([["Types", new TableCache(types, ["name", "counts"])]]);
  const contents = (...names: string[]) => ({ Types: Object.fromEntries(names.map((name) => [name, { initial: { name, counts: ["set", [1, 2]] } }])) });

  test("contents, then changes: old rows keep their values", () => {
    const cache = tables();
    const table = cache.get("Types")!;
    expect(applyContents(cache, contents("a", "b")).map(({ uuid, old }) => [uuid, old])).toEqual([
      ["a", undefined],
      ["b", undefined],
    ]);
    const changes = applyUpdates(cache, { Types: { a: { modify: { counts: ["set", [2, 3]] } }, b: { delete: null }, c: { insert: { name: "c" } } } });
    expect(changes.map(({ uuid, old, new: now }) => [uuid, old?.get("counts"), now?.get("counts")])).toEqual([
      ["a", [1, 2], [1, 3]],
      ["b", [1, 2], undefined],
      ["c", undefined, []],
    ]);
    expect([...table].map((row) => row.toObject())).toEqual([
      { _uuid: "a", name: "a", counts: [1, 3] },
      { _uuid: "c", name: "c", counts: [] },
    ]);
    expect([table.size, table.get("b")]).toEqual([2, undefined]);
  });

  test("contents read again: only differences are changes", () => {
    const cache = tables();
    applyContents(cache, contents("a", "b"));
    const kept = cache.get("Types")!.get("b");
    const changes = applyContents(cache, contents("b", "c"));
    expect(changes.map(({ uuid, old, new: now }) => [uuid, old !== undefined, now !== undefined])).toEqual([
      ["c", false, true],
      ["a", true, false],
    ]);
    expect(cache.get("Types")!.get("b")).toBe(kept);
  });

  test("updates of RFC 7047: old and new", () => {
    const cache = tables();
    applyContents(cache, { Types: { a: { new: { name: "a", counts: 1 } } } });
    expect(applyUpdates(cache, { Types: { a: { old: { name: "a" }, new: { name: "z", counts: 1 } } } })[0]!.new!.toObject()).toEqual({
      _uuid: "a",
      name: "z",
      counts: [1],
    });
    expect(applyUpdates(cache, { Types: { a: { old: { name: "z", counts: 1 } } } }).map(({ new: now }) => now)).toEqual([undefined]);
  });

  test("a column that is not monitored is a SchemaError", () => {
    const cache = tables();
    applyContents(cache, contents("a"));
    const row = cache.get("Types")!.get("a")!;
    expect(row.get("_uuid")).toBe("a");
    expect(() => row.get("truth")).toThrow("Types.truth is not monitored");
    expect(() => row.get("nothing")).toThrow(SchemaError);
  });

  test.each<[string, unknown]>([
    ["no object", 7],
    ["rows that are no object", { Types: [] }],
    ["a row that is not an object", { Types: { a: null } }],
    ["an empty row", { Types: { a: {} } }],
    ["another table", { Other: {} }],
    ["a row that is not there", { Types: { x: { modify: { name: "y" } } } }],
    ["a value of another type", { Types: { a: { insert: { name: 1 } } } }],
  ])("an update with %s is a ProtocolError", (_name, update) => {
    expect(() => applyUpdates(tables(), update)).toThrow(ProtocolError);
  });
});
