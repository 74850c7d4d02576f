import { NamedUuid, type Operation, parseSchema, ValueError } from "@pulumi-ovn/ovsdb-client";
import { encodeMutations, encodeWhere, findUndefined, resultGuard, rowGuard } from "@pulumi-ovn/ovsdb-client/testing";
import { testSchema } from "../../support/ovsdb-schema";

const table = parseSchema(testSchema).table("Types");
const A = "aaaaaaaa-0000-4000-8000-000000000000";
const V = "bbbbbbbb-0000-4000-8000-000000000000";
const byUuid = [["_uuid", "==", ["uuid", A]]];
const wait = { op: "wait", timeout: 0, table: "Types", until: "==" };

describe("a row", () => {
  test("contains its values, in wire form", () => {
    const guard = rowGuard(table, A, { name: "a", names: ["x", "y"], maybe_count: null, options: new Map([["k", "v"]]), id: V }, undefined);
    const row = { name: "a", names: ["set", ["x", "y"]], maybe_count: ["set", []], options: ["map", [["k", "v"]]], id: ["uuid", V] };
    expect(guard).toEqual({ ...wait, where: byUuid, columns: ["name", "names", "maybe_count", "options", "id"], rows: [row] });
  });

  test("requires only existence without columns", () => {
    expect(rowGuard(table, A, {}, V)).toEqual({ ...wait, where: byUuid, columns: ["_uuid"], rows: [{ _uuid: ["uuid", A] }] });
  });

  test.each([
    ["a real", { ratio: 0.5 }],
    ["reals", { ratios: [0.5] }],
    ["a map of reals", { weights: new Map([[1, 0.5]]) }],
    ["a value outside of the column's limits, which an older schema allowed", { color: "blue" }],
  ])("with %s: is compared by version, or not at all", (_, values) => {
    expect(rowGuard(table, A, { name: "a", ...values }, V)).toEqual({
      ...wait,
      where: byUuid,
      columns: ["name", "_version"],
      rows: [{ name: "a", _version: ["uuid", V] }],
    });
    expect(() => rowGuard(table, A, values, undefined)).toThrow(ValueError);
  });
});

describe("a result", () => {
  const where = encodeWhere(table, { name: "a" });
  test("contains row by row the read columns", () => {
    const rows = [
      { _uuid: A, _version: V, name: "a" },
      { _uuid: V, _version: A, name: "a" },
    ];
    const expected = [
      { _uuid: ["uuid", A], name: "a" },
      { _uuid: ["uuid", V], name: "a" },
    ];
    expect(resultGuard(table, where, rows, ["_uuid", "_version", "name"])).toEqual({
      ...wait,
      where: [["name", "==", "a"]],
      columns: ["_uuid", "name"],
      rows: expected,
    });
  });

  test("uses versions if a value can't be compared", () => {
    const rows = [
      { _uuid: A, _version: V, color: "blue" },
      { _uuid: V, _version: A, color: "red" },
    ];
    const expected = [
      { _uuid: ["uuid", A], _version: ["uuid", V] },
      { _uuid: ["uuid", V], _version: ["uuid", A] },
    ];
    expect(resultGuard(table, where, rows, ["_uuid", "_version", "color"])).toMatchObject({ columns: ["_uuid", "_version"], rows: expected });
  });

  test("may be empty", () => {
    expect(resultGuard(table, [], [], ["_uuid", "_version", "ratio"])).toMatchObject({ columns: ["_uuid", "ratio"], where: [], rows: [] });
  });
});

describe("guarded rows", () => {
  test.each<[string, unknown, unknown]>([
    ["a UUID", A, byUuid],
    ["an object with one", { _uuid: A, name: "ignored" }, byUuid],
    ["a row of the same transaction", new NamedUuid("x"), [["_uuid", "==", ["named-uuid", "x"]]]],
    [
      "equal columns",
      { name: "a", names: ["x"] },
      [
        ["name", "==", "a"],
        ["names", "==", "x"],
      ],
    ],
    [
      "conditions",
      [
        ["count", "<", 3],
        ["pair", "includes", []],
      ],
      [
        ["count", "<", 3],
        ["pair", "includes", ["set", []]],
      ],
    ],
    ["parts of a full set", [["pair", "excludes", [1, 2, 3]]], [["pair", "excludes", ["set", [1, 2, 3]]]]],
    ["an optional column that has none", [["maybe_name", "includes", null]], [["maybe_name", "includes", ["set", []]]]],
    ["all", [], []],
  ])("%s", (_, where, wire) => {
    expect(encodeWhere(table, where)).toEqual(wire);
  });

  test.each([7, null, true])("not %s", (where) => {
    expect(() => encodeWhere(table, where)).toThrow(ValueError);
  });
});

test("omitted mutations are not sent", () => {
  expect(encodeMutations(table, { name: undefined, count: { "+=": undefined, "-=": 1 } as object, percent: { "+=": 200 } })).toEqual([
    ["count", "-=", 1],
    ["percent", "+=", 200],
  ]);
});

test("references to rows that are not inserted are found at any depth", () => {
  const named = ["named-uuid", "x"] as const;
  const insert: Operation = { op: "insert", table: "A", row: {}, "uuid-name": "x" };
  const operations: Operation[] = [
    { op: "insert", table: "B", row: { a: named } },
    { op: "insert", table: "B", row: { a: ["set", [["uuid", A], named]] } },
    { op: "insert", table: "B", row: { a: ["map", [[named, 1]]] } },
    { op: "update", table: "B", where: [["_uuid", "==", named]], row: {} },
    { op: "mutate", table: "B", where: [], mutations: [["a", "insert", ["set", [named]]]] },
    { op: "wait", table: "B", where: [], until: "==", rows: [{ a: named }] },
    { op: "delete", table: "B", where: [["a", "includes", named]] },
  ];
  for (const operation of operations) {
    expect(findUndefined([operation])).toEqual({ table: "B", name: "x" });
    expect(findUndefined([operation, insert])).toBeUndefined();
  }
  // Strings that resemble an operation are invalid.
  const strings: Operation[] = [
    { op: "insert", table: "B", row: { a: ["set", ["named-uuid", "x"]], b: ["map", [["named-uuid", "x"]]], c: "named-uuid" } },
    { op: "comment", comment: "named-uuid" },
  ];
  expect(findUndefined(strings)).toBeUndefined();
});
