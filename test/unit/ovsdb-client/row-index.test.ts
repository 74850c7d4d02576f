import fc from "fast-check";
import { parseSchema, SchemaError, TableCache } from "@pulumi-ovn/ovsdb-client";
import { applyContents } from "@pulumi-ovn/ovsdb-client/testing";
import { testSchema } from "../../support/ovsdb-schema";

const schema = parseSchema(testSchema).table("Types");
const COLUMNS = ["name", "count", "maybe_name", "names", "options", "weights", "truth", "ids"];
const uuid = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;
const table = () => new TableCache(schema, COLUMNS);
const found = (rows: Iterable<{ uuid: string }>) => [...rows].map((row) => row.uuid).sort();

describe("lookups", () => {
  test("by one column, also of a changed or deleted row", () => {
    const cache = table();
    cache.put(uuid(1), { name: "a" });
    const index = cache.index("name");
    expect([found(index.get("a")), index.get("b"), index.first("b"), index.size]).toEqual([[uuid(1)], [], undefined, 1]);
    cache.put(uuid(2), { name: "a" });
    cache.put(uuid(3), { name: "b" });
    expect(found(index.get("a"))).toEqual([uuid(1), uuid(2)]);
    cache.modify(uuid(1), { name: "b" });
    expect([found(index.get("a")), found(index.get("b")), index.size]).toEqual([[uuid(2)], [uuid(1), uuid(3)], 2]);
    cache.modify(uuid(2), { count: 7 });
    expect(index.first("a")).toBe(cache.get(uuid(2)));
    expect(index.first("a")?.get("count")).toBe(7);
    cache.remove(uuid(2));
    expect([index.get("a"), index.first("a"), index.size]).toEqual([[], undefined, 1]);
  });

  test("by optional columns, numbers of 64 bits, and members of a set", () => {
    const cache = table();
    cache.put(uuid(1), { maybe_name: "x", count: 2n ** 60n, names: ["set", ["p", "q"]], ids: ["uuid", uuid(9)] });
    cache.put(uuid(2), { count: 5, names: "q" });
    expect(found(cache.index("maybe_name").get("x"))).toEqual([uuid(1)]);
    expect(found(cache.index("maybe_name").get(null))).toEqual([uuid(2)]);
    expect(found(cache.index("count").get(2n ** 60n))).toEqual([uuid(1)]);
    expect(found(cache.index("count").get(5n))).toEqual([uuid(2)]);
    expect(found(cache.index("names").get("q"))).toEqual([uuid(1), uuid(2)]);
    expect(found(cache.index("ids").get(uuid(9)))).toEqual([uuid(1)]);
    cache.modify(uuid(1), { names: ["set", ["q", "r"]] });
    expect([found(cache.index("names").get("q")), found(cache.index("names").get("r"))]).toEqual([[uuid(2)], [uuid(1)]]);
  });

  test("by a key of a map, and by several columns", () => {
    const cache = table();
    cache.put(uuid(1), {
      name: "a",
      options: [
        "map",
        [
          ["k", "v"],
          ["l", ""],
        ],
      ],
      weights: ["map", [[7, 0.5]]],
    });
    cache.put(uuid(2), { name: "a" });
    const index = cache.index(["options", "k"], "name");
    expect([found(index.get("v", "a")), found(index.get(null, "a")), index.get("", "a"), index.get("v", "b")]).toEqual([[uuid(1)], [uuid(2)], [], []]);
    expect(found(cache.index(["options", "l"], "name").get("", "a"))).toEqual([uuid(1)]);
    expect(found(cache.index(["weights", 7n]).get(0.5))).toEqual([uuid(1)]);
    cache.modify(uuid(1), { options: ["map", [["k", "w"]]] });
    expect([index.get("v", "a"), found(index.get("w", "a"))]).toEqual([[], [uuid(1)]]);
    // One value is not split into two.
    expect(cache.index("name", ["options", "k"]).get("a\0=w", "" as never)).toEqual([]);
  });

  test("the same columns are the same index", () => {
    const cache = table();
    expect(cache.index("name")).toBe(cache.index("name"));
    expect(cache.index("name", "count")).not.toBe(cache.index("count", "name"));
    expect(cache.index(["options", "1"])).not.toBe(cache.index(["options", "2"]));
  });

  test.each([
    ["fixed", "Types.fixed is not monitored"],
    ["nothing", "the server's table Types has no column nothing"],
    ["options", "Types.options is a map: an index needs one of its keys"],
    [["name", "k"] as const, "Types.name is not a map: an index takes no key of it"],
  ])("not by %j", (column, message) => {
    expect(() => table().index(column)).toThrow(new SchemaError(message));
  });

  test("contents read again: deleted rows are not found", () => {
    const cache = table();
    const index = cache.index("name");
    const contents = (...rows: [number, string][]) => ({ Types: Object.fromEntries(rows.map(([id, name]) => [uuid(id), { initial: { name } }])) });
    const tables = new Map([["Types", cache]]);
    applyContents(tables, contents([1, "a"], [2, "b"]));
    applyContents(tables, contents([2, "c"], [3, "a"]));
    expect([found(index.get("a")), index.get("b"), found(index.get("c")), index.size]).toEqual([[uuid(3)], [], [uuid(2)], 2]);
  });
});

describe("a table that was converted", () => {
  const other = (columns: object) => parseSchema({ ...testSchema, tables: { Types: { columns } } }).table("Types");
  const text = { type: "string" };
  const map = { type: { key: "string", value: "string", min: 0, max: "unlimited" } };

  test("earlier rows are found by their former values, new ones by their current values", () => {
    const cache = new TableCache(other({ name: text, note: text }), ["name", "note"]);
    cache.put(uuid(1), { name: "a", note: "n" });
    cache.put(uuid(2), { name: "b", note: "n" });
    const [byName, byBoth] = [cache.index("name"), cache.index("note", "name")];
    cache.convert(other({ added: text, note: text, name: text }), ["added", "note", "name"]);
    expect([found(byName.get("a")), found(byBoth.get("n", "b"))]).toEqual([[uuid(1)], [uuid(2)]]);
    cache.put(uuid(1), { name: "a", note: "n", added: "b" });
    cache.put(uuid(2), { name: "c", note: "n" });
    expect([found(byName.get("a")), found(byName.get("b")), found(byName.get("c"))]).toEqual([[uuid(1)], [], [uuid(2)]]);
    expect([found(byBoth.get("n", "a")), byBoth.get("n", "b"), byBoth.size]).toEqual([[uuid(1)], [], 2]);
    expect(cache.index("name")).toBe(byName);
    cache.remove(uuid(1));
    cache.remove(uuid(2));
    expect([byName.size, byBoth.size]).toEqual([0, 0]);
  });

  test.each<[string, object, object, unknown]>([
    ["a map", text, map, "note"],
    ["no map", map, text, ["note", "k"]],
  ])("a column that is %s after the conversion has no value in any row", (_what, before, after, part) => {
    const cache = new TableCache(other({ name: text, note: before }), ["name", "note"]);
    cache.put(uuid(1), { name: "a", note: before === map ? ["map", [["k", "v"]]] : "v" });
    const [alone, together] = [cache.index(part as never), cache.index("name", part as never)];
    expect([found(alone.get("v" as never)), found(together.get("a" as never, "v" as never))]).toEqual([[uuid(1)], [uuid(1)]]);
    cache.convert(other({ name: text, note: after }), ["name", "note"]);
    cache.put(uuid(1), { name: "a", note: after === map ? ["map", [["k", "v"]]] : "v" });
    expect([alone.size, together.size]).toEqual([0, 0]);
  });
});

test("an index has the result of a search through all rows", () => {
  const text = fc.constantFrom("", "a", "b", "\u0001", "=");
  const row = fc.record({
    name: text,
    maybe_name: fc.option(text, { nil: null }).map((value) => (value === null ? ["set", []] : value)),
    names: fc.uniqueArray(text).map((members) => ["set", [...members].sort()]),
    options: fc
      .uniqueArray(fc.constantFrom("k", "l"))
      .chain((keys) => fc.tuple(...keys.map((key) => fc.tuple(fc.constant(key), text))))
      .map((entries) => ["map", entries.sort()]),
  });
  const step = fc.record({ id: fc.nat(4), row: fc.option(row, { nil: undefined }) });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), fc.nat(30), (steps, made) => {
      const cache = table();
      const check = () => {
        const rows = [...cache];
        for (const name of ["", "a", "b", "\u0001", "="]) {
          expect(found(cache.index("name").get(name))).toEqual(found(rows.filter((each) => each.get("name") === name)));
          expect(found(cache.index("names", "maybe_name").get(name, null))).toEqual(
            found(rows.filter((each) => (each.get("names") as string[]).includes(name) && each.get("maybe_name") === null)),
          );
          expect(found(cache.index("maybe_name", ["options", "k"]).get(name, "a"))).toEqual(
            found(rows.filter((each) => each.get("maybe_name") === name && (each.get("options") as Map<string, string>).get("k") === "a")),
          );
        }
      };
      steps.forEach(({ id, row: content }, turn) => {
        // Rows that were there before the index was made are in it, too.
        if (turn === made) check();
        if (content === undefined) cache.remove(uuid(id));
        else cache.put(uuid(id), content);
      });
      check();
    }),
  );
});
