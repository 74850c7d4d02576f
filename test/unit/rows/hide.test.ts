import type { ColumnValue, Contribution, DesiredRow, RowSet } from "@pulumi-ovn/provider";
import { hideRows, setLines } from "@pulumi-ovn/provider/testing";

const set = (rows: DesiredRow[], contributions?: Contribution[]): RowSet => ({ database: "OVN_Northbound", rows, ...(contributions && { contributions }) });
const row = (key: string, columns: Record<string, ColumnValue>): DesiredRow => ({ table: "ACL", key, columns });
const lines = (rows: DesiredRow[], others: DesiredRow[]) => setLines(hideRows(set(rows), set(others)));

it("hides values, set elements and map entries that the other set lacks, and no others", () => {
  const columns = (secret: string) => ({
    match: `name == ${secret}`,
    priority: 5,
    members: ["plain", secret],
    options: { map: { a: "1", b: secret, [secret]: "2" } },
  });
  expect(lines([row("a", columns("hunter2"))], [row("a", columns("ivoufs3"))])).toEqual({
    "ACL a": 'match="[secret]" priority=5 members="[secret]",plain options:"[secret]"="[secret]" options:a=1 options:b="[secret]"',
  });
});

it("hides a column that only the set itself has, and a column of another type", () => {
  expect(lines([row("a", { x: "1", y: null, z: ["1"] })], [row("a", { y: "1", z: "1" })])).toEqual({ "ACL a": 'x="[secret]" y="[secret]" z="[secret]"' });
});

it("hides names that derive from a secret, and keeps rows distinct", () => {
  const rows = (secret: string) => [
    row("a", { name: `x-${secret}` }),
    row(`b-${secret}`, { name: "known", log: true }),
    row(`c-${secret}`, { log: true }),
    row("d", { name: "open" }),
  ];
  expect(lines(rows("hunter2"), rows("ivoufs3"))).toEqual({
    "ACL [secret]": "",
    "ACL [secret] 2": 'log="[secret]"',
    "ACL [secret] 3": 'log="[secret]"',
    "ACL open": "",
  });
});

it("hides values in rows of other owners", () => {
  const shared = (secret: string): Contribution[] => [
    { table: "Open_vSwitch", row: { name: "." }, column: "external_ids", part: { kind: "entry", key: "psk", value: secret } },
    { table: "Open_vSwitch", row: { name: "." }, column: "external_ids", part: { kind: "item", key: "maps", name: secret, value: "br" } },
    { table: "Open_vSwitch", row: { name: "." }, column: "bridges", part: { kind: "element", element: "br0" } },
  ];
  expect(setLines(hideRows(set([], shared("hunter2")), set([], shared("ivoufs3"))))).toEqual({
    "Open_vSwitch . external_ids:psk": "[secret]",
    "Open_vSwitch [secret] [secret]:[secret]": "[secret]",
    "Open_vSwitch . bridges br0": "included",
  });
});
