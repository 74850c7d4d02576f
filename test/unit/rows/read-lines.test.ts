import * as fc from "fast-check";
import type { ColumnValue, DesiredRow } from "@pulumi-ovn/provider";
import { rowLines } from "@pulumi-ovn/provider/rows";
import { columnWords, MOST_LINES } from "@pulumi-ovn/provider/testing";
import { changedWords, readLines, readWord, type Word } from "@pulumi-ovn/provider/tools";

const row = (name: string, columns: Record<string, ColumnValue>, table = "Logical_Switch_Port"): DesiredRow => ({
  table,
  key: name,
  columns: { name, ...columns },
});
const byName = (a: Word, b: Word) => (a.name < b.name ? -1 : 1);
const read = (lines: Record<string, string>) => Object.fromEntries(readLines(lines).rows);

it("reads a line", () => {
  expect(read(rowLines([row("vm 1", { type: "remote", addresses: ["0a:58 10.0.0.1", "unknown"], options: { map: { "a b": 'x"y=z', mtu: 1400 } } })]))).toEqual({
    "Logical_Switch_Port vm 1": [
      { name: "type", value: "remote" },
      { name: "addresses", value: '"0a:58 10.0.0.1",unknown' },
      { name: 'options:"a b"', value: '"x\\"y=z"' },
      { name: "options:mtu", value: "1400" },
    ],
  });
});

it("joins the lines of a folded row, also after the ninth", () => {
  const keys = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`key${index + 10}`, "x".repeat(40)]));
  const lines = rowLines([row("wide", { type: "router", options: { map: keys } })]);
  expect(Object.keys(lines)).toContain("Logical_Switch_Port wide options 12");
  const sorted = Object.fromEntries(Object.entries(lines).sort(([a], [b]) => (a < b ? -1 : 1)));
  // As Pulumi gives them back: 12 before 2.
  expect(Object.keys(sorted)[1]).toBe("Logical_Switch_Port wide options 10");
  const found = read(sorted);
  expect(found["Logical_Switch_Port wide"]!.filter(({ name }) => name !== "type")).toEqual(
    Object.entries(keys).map(([key, value]) => ({ name: `options:${key}`, value })),
  );
  expect(found["Logical_Switch_Port wide"]).toContainEqual({ name: "type", value: "router" });
});

it("reads the words of a change, also names without a value", () => {
  expect(changedWords('mac="0a:58" options:"a b"="x y" options:mtu,own%20c peer')).toEqual([
    { name: "mac", value: '"0a:58"' },
    { name: 'options:"a b"', value: '"x y"' },
    { name: "options:mtu", value: "" },
    { name: "options:own%20c", value: "" },
    { name: "peer", value: "" },
  ]);
  expect(changedWords("")).toEqual([]);
});

it("does not read a row as the continuation of another row", () => {
  expect(read({ "ACL a": "priority=1", "ACL a priority": "priority=2", "ACL priority": "priority=3" })).toEqual({
    "ACL a": [{ name: "priority", value: "1" }],
    "ACL a priority": [{ name: "priority", value: "2" }],
    "ACL priority": [{ name: "priority", value: "3" }],
  });
});

it("keeps values in rows of other owners unchanged", () => {
  expect(
    read({
      "Open_vSwitch . external_ids:ovn-bridge-mappings:locnet": "br-ex",
      "Bridge br-int mirrors m": "included",
      "NB_Global . options:x": 'two words "',
      "NB_Global . options:y": "",
    }),
  ).toEqual({
    "Open_vSwitch . external_ids:ovn-bridge-mappings:locnet": [{ name: "", value: "br-ex" }],
    "Bridge br-int mirrors m": [{ name: "", value: "included" }],
    "NB_Global . options:x": [{ name: "", value: 'two words "' }],
    "NB_Global . options:y": [],
  });
});

it("distinguishes counted tables from rows", () => {
  const many = rowLines(Array.from({ length: MOST_LINES + 1 }, (_, index) => row(`vm${index}`, { type: "remote" })));
  const { rows, tables } = readLines({ ...many, "ACL 3 rows": "3 rows, digest x" });
  expect([...tables]).toEqual([["Logical_Switch_Port", { rows: 65, digest: many.Logical_Switch_Port!.split(" ").at(-1) }]]);
  expect([...rows.keys()]).toEqual(["ACL 3 rows"]);
});

it("reads any written row back", () => {
  const text = fc.string({ unit: "binary", maxLength: 12 });
  const value = fc.oneof(
    text,
    fc.integer(),
    fc.array(text, { maxLength: 5 }),
    fc.dictionary(text, text, { maxKeys: 5 }).map((map) => ({ map })),
    fc.constant(null),
  );
  const column = fc.constantFrom("type", "addresses", "options", "external_ids", "priority");
  fc.assert(
    fc.property(fc.dictionary(column, value), (columns) => {
      const written = Object.entries(columns)
        .flatMap(([name, own]) => columnWords(name, own))
        .map(readWord);
      const said = written.filter(({ value: own }) => own !== '""' && own !== "[]");
      const found = read(rowLines([row("vm1", columns)]))["Logical_Switch_Port vm1"]?.slice() ?? [];
      // Folding leaves out columns that are empty; short rows keep them.
      expect(found.sort(byName).filter(({ name, value: own }) => name !== "" && own !== '""' && own !== "[]")).toEqual(said.sort(byName));
    }),
    { numRuns: 60 },
  );
});
