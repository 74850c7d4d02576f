import { parseSchema } from "@pulumi-ovn/ovsdb-client";
import type { ColumnValue, Contribution, DesiredRow } from "@pulumi-ovn/provider";
import { unlistedRows } from "@pulumi-ovn/provider/testing";

const uuid = (refType: string) => ({ type: "uuid", refTable: "Inner", refType });
const set = (key: unknown) => ({ type: { key, min: 0, max: "unlimited" } });
const schema = parseSchema({
  name: "OVN_Northbound",
  version: "1.0.0",
  tables: {
    Outer: {
      isRoot: true,
      columns: {
        name: { type: "string" },
        inners: set(uuid("strong")),
        one: { type: { key: uuid("strong"), min: 0, max: 1 } },
        byName: { type: { key: "string", value: uuid("strong"), min: 0, max: "unlimited" } },
        seen: set(uuid("weak")),
      },
    },
    Inner: { columns: { name: { type: "string" } } },
  },
});
const reference = { table: "Inner", key: "i" };
const inner: DesiredRow = { ...reference, columns: { name: "i" } };
const outer = (columns: Record<string, ColumnValue> = {}): DesiredRow => ({ table: "Outer", key: "o", columns: { name: "i", ...columns } });
const element = (part: Contribution["part"]): Contribution => ({ table: "Outer", row: { name: "theirs" }, column: "inners", part });

it.each<[string, readonly DesiredRow[], readonly Contribution[]]>([
  ["without others", [inner], []],
  ["next to a row without a reference to it", [inner, outer()], []],
  ["that a weak reference leads to", [inner, outer({ seen: [reference] })], []],
  ["of whose name another one is referred to", [inner, outer({ inners: [{ table: "Inner", key: "j" }, { uuid: "i" }] })], []],
  ["next to entries in rows of others", [inner], [element({ kind: "entry", key: "i", value: "i" }), element({ kind: "element", element: "i" })]],
])("a row %s would be removed by the database", (_what, rows, contributions) => {
  expect([...unlistedRows(schema, { rows, contributions })]).toEqual([inner]);
});

it.each<[string, readonly DesiredRow[], readonly Contribution[]]>([
  ["in a set", [inner, outer({ inners: [reference] })], []],
  ["in a scalar column", [inner, outer({ one: reference })], []],
  ["in a map", [outer({ byName: { map: { a: reference } } }), inner], []],
  ["in a set of others' row", [inner], [element({ kind: "element", element: reference })]],
  ["with a parent", [{ ...inner, parent: { table: "Outer", row: { name: "theirs" }, column: "inners" } }], []],
  ["that several resources have together", [{ ...inner, joint: {} as never }], []],
  ["of a root set", [outer()], []],
])("a row %s stays", (_what, rows, contributions) => {
  expect(unlistedRows(schema, { rows, contributions })).toEqual(new Set());
});
