import type { DesiredRow } from "@pulumi-ovn/provider";
import { OWNER_KEY } from "@pulumi-ovn/provider/rows";
import { type LiveRow, type ResolvedRow, resolveRows, rowDrifts } from "@pulumi-ovn/provider/tools";
import { northboundExcerpt as schema } from "../../support/northbound-excerpt";

const ME = "me";
const resolved = (columns: DesiredRow["columns"]): ResolvedRow =>
  resolveRows([{ table: "Logical_Router", key: "router", columns: { name: "tr", ...columns } }], ME, schema, new Map())[0]!;
const drift = (row: ResolvedRow, live?: LiveRow) => rowDrifts([row], new Map(live ? [[row.uuid, live]] : []), schema);

const row = resolved({ options: { map: { a: "1" } } });
const live = (more: Partial<LiveRow> = {}): LiveRow => ({ name: "tr", options: new Map([["a", "1"]]), external_ids: new Map([[OWNER_KEY, ME]]), ...more });

it("distinguishes a deleted row from a changed one", () => {
  expect(drift(row)).toEqual([{ label: row.label, missing: true, values: [] }]);
  expect(drift(row, live())).toEqual([{ label: row.label, missing: false, values: [] }]);
  expect(
    drift(
      row,
      live({
        options: new Map([
          ["a", "2"],
          ["theirs", "x"],
        ]),
      }),
    ),
  ).toEqual([{ label: row.label, missing: false, values: [{ found: ["options:a=2"], wanted: ["options:a=1"] }] }]);
});

it.each([
  ["gone", new Map()],
  ["another's", new Map([[OWNER_KEY, "you"]])],
])("does not count the owner's mark if it is %s, alone or next to a value", (_what, marks) => {
  // Otherwise `[undefined]` would equal an empty array.
  expect(drift(row, live({ external_ids: marks }))[0]!.values).toStrictEqual([]);
  expect(drift(row, live({ external_ids: marks, options: new Map() }))[0]!.values).toEqual([{ found: [], wanted: ["options:a=1"] }]);
});

it("counts the resource's own entries in addition to the mark", () => {
  const marked = resolved({ external_ids: { map: { team: "net" } } });
  expect(drift(marked, live({ external_ids: new Map([["team", "net"]]) }))[0]!.values).toEqual([]);
  expect(drift(marked, live({ external_ids: new Map() }))[0]!.values).toEqual([{ found: [], wanted: ["external_ids:team=net"] }]);
});
