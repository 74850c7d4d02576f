import type { Contribution } from "@pulumi-ovn/provider";
import {
  contributionLabel,
  contributionMark,
  contributionText,
  liveRows as liveState,
  type ResolvedContribution,
  sharedState,
} from "@pulumi-ovn/provider/testing";
import type { LiveRow } from "@pulumi-ovn/provider/tools";
import { northboundExcerpt as schema } from "../../support/northbound-excerpt";

const ROW = "00000000-0000-4000-8000-000000000001";
const PORT = "00000000-0000-4000-8000-000000000002";
const resolved = (
  column: string,
  part: Contribution["part"],
  { key, name, value = "" }: Partial<ResolvedContribution>,
  row: Contribution["row"] = { name: "tr" },
) => {
  const source: Contribution = { table: "Logical_Router", row, column, part };
  const place = { column, key, name };
  return { ...place, table: "Logical_Router", uuid: ROW, value, label: contributionLabel(source), mark: contributionMark(place), source };
};
const entry = resolved("options", { kind: "entry", key: "k", value: "1" }, { key: "k", value: "1" });
const item = resolved("options", { kind: "item", key: "list", name: "a", value: "br-a" }, { key: "list", name: "a", value: "br-a" });
const element = resolved("ports", { kind: "element", element: { uuid: PORT } }, { name: PORT }, { uuid: ROW });

const marks = (...of: ResolvedContribution[]) => new Map(of.map(({ mark }) => [mark, "me"]));
const state = (live: LiveRow | undefined, ...contributions: ResolvedContribution[]) =>
  sharedState({ contributions, live: new Map(live ? [[ROW, live]] : []), owner: "me" }, schema);
const whole: LiveRow = {
  options: new Map([
    ["k", "1"],
    ["list", "x:y,a:br-a"],
  ]),
  ports: [PORT],
  external_ids: marks(entry, item, element),
};
const LABELS = ["Logical_Router tr options:k", "Logical_Router tr options:list:a", `Logical_Router ${ROW} ports ${PORT}`] as const;

it("reports an unchanged entry, item and element", () => {
  expect([entry, item, element].map(({ source }) => contributionText(source))).toEqual(["1", "br-a", "included"]);
  expect(state(whole, entry, item, element)).toEqual({ present: 3, lines: { [LABELS[0]]: "1", [LABELS[1]]: "br-a", [LABELS[2]]: "included" }, drift: {} });
});

it("reports missing entries, in an existing row, in a missing row, and in one never found", () => {
  const missing = Object.fromEntries(LABELS.map((label) => [label, "missing"]));
  const nothing: LiveRow = { options: new Map([["list", "x:y"]]), ports: [], external_ids: new Map() };
  expect(state(nothing, entry, item, element)).toEqual({ present: 0, lines: {}, drift: missing });
  expect(state(undefined, entry, item, element)).toStrictEqual({ present: 0, lines: {}, drift: missing });
  expect(state(whole, { ...entry, uuid: undefined })).toEqual({ present: 0, lines: {}, drift: { [LABELS[0]]: "missing" } });
});

it("counts a changed value as present only under the owner's mark", () => {
  const changed: LiveRow = { options: new Map([["k", "2"]]), external_ids: marks(entry) };
  const other = { lines: { [LABELS[0]]: "2" }, drift: { [LABELS[0]]: "2 instead of 1" } };
  expect(state(changed, entry)).toEqual({ present: 1, ...other });
  expect(state({ ...changed, external_ids: new Map([[entry.mark, "you"]]) }, entry)).toEqual({ present: 0, ...other });
  expect(state({ ...changed, external_ids: new Map() }, entry)).toEqual({ present: 0, ...other });
  expect(state({ ...changed, options: new Map([["k", "1"]]), external_ids: new Map() }, entry)).toEqual({ present: 1, lines: { [LABELS[0]]: "1" }, drift: {} });
  // A mark by itself does not have to be deleted with the resource.
  expect(state({ options: new Map(), external_ids: marks(entry) }, entry)).toEqual({ present: 0, lines: {}, drift: { [LABELS[0]]: "missing" } });
});

it("names other values with the owner's mark in these rows", () => {
  expect(state({ ...whole, external_ids: marks(entry, item) }, entry)).toEqual({
    present: 2,
    lines: { [LABELS[0]]: "1" },
    drift: { [LABELS[1]]: "surplus" },
  });
});

it("is shown by a refresh, together with a row of the resource", () => {
  const shared = { contributions: [entry], live: new Map([[ROW, { ...whole, options: new Map(), external_ids: new Map() }]]), owner: "me" };
  const { digest, ...shown } = liveState({ database: "OVN_Northbound", rows: [], contributions: [entry.source] }, [], new Map(), schema, shared);
  expect([digest, shown]).toEqual([expect.stringMatching(/^drift-/), { present: 0, lines: {}, drift: { [LABELS[0]]: "missing" } }]);
  const held = liveState({ database: "OVN_Northbound", rows: [], contributions: [entry.source] }, [], new Map(), schema, {
    ...shared,
    live: new Map([[ROW, { ...whole, external_ids: marks(entry) }]]),
  });
  expect(held).toMatchObject({ present: 1, lines: { [LABELS[0]]: "1" }, drift: {} });
});
