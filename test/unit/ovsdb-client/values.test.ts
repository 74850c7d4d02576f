import fc from "fast-check";
import { type Atom, NamedUuid, ProtocolError, parseSchema, SchemaError, ValueError, type Value, type WritableValue } from "@pulumi-ovn/ovsdb-client";
import { testSchema } from "../../support/ovsdb-schema";

const types = parseSchema(testSchema).table("Types");
const U1 = "00000000-0000-4000-8000-000000000001";
const U2 = "00000000-0000-4000-8000-000000000002";

describe("values and their wire forms", () => {
  test.each<[string, object, object]>([
    ["a map of exactly one", { value: "string" }, { isMap: true }],
    ["a map of at most one", { value: "string", min: 0 }, { isMap: true }],
    ["a map", { value: "string", min: 0, max: "unlimited" }, { isMap: true }],
    ["one", {}, { isScalar: true }],
    ["at most one", { min: 0 }, { isOptional: true }],
    ["some", { max: "unlimited" }, { isSet: true }],
  ])("a column of %s has exactly this type", (_what, limits, expected) => {
    const { tables } = parseSchema({ name: "D", version: "1.0.0", tables: { T: { columns: { c: { type: { key: "string", ...limits } } } } } });
    const { isMap, isScalar, isOptional, isSet } = tables.get("T")!.column("c");
    expect(tables.get("T")!.indexes).toEqual([]);
    expect({ isMap, isScalar, isOptional, isSet }).toEqual({ isMap: false, isScalar: false, isOptional: false, isSet: false, ...expected });
  });

  test("columns of every table are immutable, permanent UUIDs", () => {
    const { isScalar, type, mutable, ephemeral } = types.column("_uuid");
    expect({ isScalar, type, mutable, ephemeral }).toEqual({
      isScalar: true,
      type: { key: { type: "uuid" }, min: 1, max: 1 },
      mutable: false,
      ephemeral: false,
    });
    expect([types.has("_version"), types.has("_other")]).toEqual([true, false]);
  });

  test.each<[string, WritableValue, unknown, Value]>([
    ["name", "x", "x", "x"],
    ["truth", true, true, true],
    ["count", -3, -3, -3],
    ["count", 2n ** 63n - 1n, 2n ** 63n - 1n, 2n ** 63n - 1n],
    ["ratio", 0.5, 0.5, 0.5],
    ["id", U1, ["uuid", U1], U1],
    ["maybe_count", null, ["set", []], null],
    ["maybe_count", 7, 7, 7],
    ["maybe_count", [7], 7, 7],
    ["maybe_id", U1, ["uuid", U1], U1],
    ["names", [], ["set", []], []],
    ["names", ["b", "a"], ["set", ["b", "a"]], ["a", "b"]],
    ["names", "one", "one", ["one"]],
    ["names", new Set(["a"]), "a", ["a"]],
    [
      "ids",
      [U1, U2],
      [
        "set",
        [
          ["uuid", U1],
          ["uuid", U2],
        ],
      ],
      [U1, U2],
    ],
    ["pair", [1, 2], ["set", [1, 2]], [1, 2]],
    ["options", {}, ["map", []], new Map()],
    ["options", { k: "v" }, ["map", [["k", "v"]]], new Map([["k", "v"]])],
    ["weights", new Map([[1, 0.5]]), ["map", [[1, 0.5]]], new Map([[1, 0.5]])],
    ["color", "red", "red", "red"],
    ["percent", 100, 100, 100],
    ["short", "\u{1F600}\u{1F600}\u{1F600}", "\u{1F600}\u{1F600}\u{1F600}", "\u{1F600}\u{1F600}\u{1F600}"],
    ["ratio", -0, 0, 0],
  ])("%s: %j", (column, value, wire, back) => {
    expect(types.column(column).encode(value)).toEqual(wire);
    expect(types.column(column).decode(wire)).toEqual(back);
  });

  test.each<[string, unknown, string]>([
    ["name", 1, "Types.name: 1 is not a string"],
    ["name", null, "Types.name: null is not a string"],
    ["truth", "true", 'Types.truth: "true" is not a boolean'],
    ["count", 1.5, "Types.count: 1.5 is not an integer"],
    ["count", 2 ** 53, "Types.count: 9007199254740992 is not an integer"],
    ["count", 2n ** 63n, "Types.count: 9223372036854775808 does not fit into 64 bits"],
    ["ratio", Infinity, "Types.ratio: Infinity is not a real"],
    ["ratio", NaN, "Types.ratio: NaN is not a real"],
    ["ratio", 5e-324, "Types.ratio: 5e-324 is too near to zero for an OVSDB server to read"],
    ["id", "nonsense", 'Types.id: "nonsense" is not a UUID'],
    ["maybe_count", [1, 2], "Types.maybe_count: 2 elements, not 0 to 1"],
    ["names", ["a", "b", "a"], 'Types.names: "a" occurs twice'],
    ["counts", [5, 5n], "Types.counts: 5 occurs twice"],
    ["ids", [U1, U1.toUpperCase()], `Types.ids: "${U1}" occurs twice`],
    ["names", ["a", 1], "Types.names[1]: 1 is not a string"],
    ["names", { a: "b" }, 'Types.names: {"a":"b"} is not a set of strings'],
    ["pair", [], "Types.pair: 0 elements, not 1 to 2"],
    ["pair", [1, 2, 3], "Types.pair: 3 elements, not 1 to 2"],
    ["options", { k: 1 }, 'Types.options["k"]: 1 is not a string'],
    ["options", ["k"], 'Types.options: ["k"] is not a map'],
    ["options", "k", 'Types.options: "k" is not a map'],
    ["color", "blue", 'Types.color: "blue" is not one of "red", "green"'],
    ["percent", 101, "Types.percent: 101 is not 0 to 100"],
    ["short", "abcd", 'Types.short: "abcd" has 4 characters, not 0 to 3'],
    ["name", "a\0", "Types.name: a string may not hold the character U+0000"],
    ["name", "\udc00", "Types.name: a string may not hold half of a surrogate pair"],
  ])("%s may not be %p", (column, value, problem) => {
    const encode = () => types.column(column).encode(value as WritableValue);
    expect(encode).toThrow(ValueError);
    expect(encode).toThrow(problem);
  });

  test("a named UUID is accepted instead of a UUID", () => {
    expect(types.column("id").encode(new NamedUuid("row1"))).toEqual(["named-uuid", "row1"]);
    expect(types.column("ids").encode([new NamedUuid("a"), U1])).toEqual([
      "set",
      [
        ["named-uuid", "a"],
        ["uuid", U1],
      ],
    ]);
    expect(() => types.column("name").encode(new NamedUuid("a"))).toThrow("Types.name: NamedUuid(a) is not a string");
    expect(() => new NamedUuid("a-b")).toThrow(TypeError);
  });

  test.each<[string, unknown]>([
    ["name", 1],
    ["name", ["set", []]],
    ["name", null],
    ["truth", 0],
    ["count", 1.5],
    ["count", 2 ** 63],
    ["count", 2n ** 63n],
    ["count", -(2n ** 63n) - 1n],
    ["count", 1e25],
    ["count", Infinity],
    ["id", "x"],
    ["id", ["named-uuid", "x"]],
    ["maybe_count", ["set", [1, 2]]],
    ["names", ["set", [1]]],
    ["options", ["set", []]],
    ["options", ["map", [["a"]]]],
    ["options", ["map", [["a", 1]]]],
    ["options", ["map", [["k", "v", "w"]]]],
    ["options", ["map", ["kv"]]],
    ["options", ["map", "kv"]],
    ["options", null],
    ["options", { 0: "map", 1: [], length: 2 }],
  ])("%s: the server's %j is a ProtocolError", (column, wire) => {
    expect(() => types.column(column).decode(wire)).toThrow(ProtocolError);
  });

  const text = fc.string({ unit: "grapheme" }).filter((string) => !string.includes("\0"));
  const uuid = fc.uuid();
  const integer = fc.oneof(fc.maxSafeInteger(), fc.bigInt({ min: 2n ** 53n, max: 2n ** 63n - 1n }));
  test.each<[string, fc.Arbitrary<Value>]>([
    ["names", fc.uniqueArray(text)],
    ["counts", fc.uniqueArray(integer)],
    ["ids", fc.uniqueArray(uuid)],
    ["maybe_name", fc.option(text)],
    ["maybe_id", fc.option(uuid)],
    ["options", fc.uniqueArray(fc.tuple(text, text), { selector: ([key]) => key }).map((pairs) => new Map(pairs))],
    [
      "weights",
      fc
        .uniqueArray(
          fc.tuple(
            fc.maxSafeInteger(),
            fc.integer().map((n) => n / 8),
          ),
          { selector: ([key]) => key },
        )
        .map((pairs) => new Map(pairs)),
    ],
  ])("%s: decoding reverses encoding, in the order of ovsdb-server", (column, values) => {
    const bytes = (text: string) => Buffer.from(text).toString("hex");
    const inOrder = (one: Atom, other: Atom) =>
      typeof one === "string" && typeof other === "string" ? (bytes(one) < bytes(other) ? -1 : 1) : one < other ? -1 : 1;
    const sorted = (value: Value): Value =>
      value instanceof Map ? new Map([...value].sort(([one], [other]) => inOrder(one, other))) : Array.isArray(value) ? [...value].sort(inOrder) : value;
    const entries = (value: Value) => (value instanceof Map ? [...value] : value);
    fc.assert(fc.property(values, (value) => expect(entries(types.column(column).decode(types.column(column).encode(value)))).toEqual(entries(sorted(value)))));
  });

  test("rows: unknown columns are refused in writes, and omitted in reads", () => {
    expect(types.encodeRow({ name: "x", names: ["a", "b"] })).toEqual({ name: "x", names: ["set", ["a", "b"]] });
    expect(() => types.encodeRow({ nome: "x" })).toThrow(SchemaError);
    expect(types.decodeRow({ _uuid: ["uuid", U1], _version: ["uuid", U2], name: "x", later: 1 })).toEqual({ _uuid: U1, _version: U2, name: "x" });
  });
});
