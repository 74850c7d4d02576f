import { createHash } from "node:crypto";
import fc from "fast-check";
import type { DesiredRow, RowSet } from "@pulumi-ovn/provider";
import { rowLines, setDigest } from "@pulumi-ovn/provider/rows";
import { MOST_LINES, MOST_OF_TABLE, summarize } from "@pulumi-ovn/provider/testing";
import { rowLabel, rowWords } from "@pulumi-ovn/provider/tools";

const port: DesiredRow = {
  table: "Logical_Router_Port",
  key: "trtor-GR_node2",
  columns: {
    name: "trtor-GR_node2",
    mac: "0a:58:64:58:00:04",
    networks: ["fd97::4/127", "100.88.0.4/31"],
    options: { map: { "requested-tnl-key": "12", "requested-chassis": "h2" } },
    peer: null,
  },
};

const rowLine = (row: Pick<DesiredRow, "columns">) =>
  rowWords(row)
    .flatMap(([, words]) => words)
    .join(" ");
const set = (...rows: DesiredRow[]): RowSet => ({ database: "OVN_Northbound", rows });

describe("row lines", () => {
  it("show a row in ovn-nbctl's words, with sorted sets and maps and the name in the label", () => {
    expect(rowLines([port])).toEqual({
      "Logical_Router_Port trtor-GR_node2":
        "mac=0a:58:64:58:00:04 networks=100.88.0.4/31,fd97::4/127 options:requested-chassis=h2 options:requested-tnl-key=12",
    });
  });

  it("quote words with other than plain characters", () => {
    const row: DesiredRow = { table: "ACL", key: "k", columns: { match: 'ip4.src == 10.0.0.1 && inport == "a"', external_ids: { map: { "a key": "b\nc" } } } };
    expect(rowLine(row)).toBe('match="ip4.src == 10.0.0.1 && inport == \\"a\\"" external_ids:"a key"="b\\nc"');
  });

  it("show references by key, UUID or name, and empty sets as []", () => {
    const uuid = "6d6c4b0e-2cb5-8b4f-9a3e-000000000000";
    const row: DesiredRow = {
      table: "Logical_Router",
      key: "router",
      columns: { ports: [{ table: "Logical_Router_Port", key: "p 1" }], copp: { uuid }, load_balancer: [{ name: "lb" }], nat: [] },
    };
    expect(rowLine(row)).toBe(`ports="p 1" copp=${uuid} load_balancer=lb nat=[]`);
    expect(rowLabel(row)).toBe("Logical_Router router");
  });

  it("become counts and digests per table above the limit", () => {
    const rows = Array.from(
      { length: MOST_LINES + 1 },
      (_, index): DesiredRow => ({ ...port, key: `p${index}`, columns: { ...port.columns, name: `p${index}` } }),
    );
    const lines = rowLines(rows);
    expect(Object.keys(lines)).toEqual(["Logical_Router_Port"]);
    expect(lines.Logical_Router_Port).toMatch(/^65 rows, digest [\w-]{16}$/);
    expect(rowLines(rows.slice(1))["Logical_Router_Port p64"]).toContain("mac=");
  });

  it("have equal counts row by row and table by table, in any order, also with equal labels", () => {
    const row = fc.record({
      table: fc.constantFrom("ACL", "NAT", "Port"),
      key: fc.string(),
      name: fc.option(fc.constantFrom("a", "b", "c 1")),
      value: fc.oneof(fc.string(), fc.integer()),
    });
    fc.assert(
      fc.property(fc.array(row, { minLength: MOST_LINES + 1, maxLength: 2 * MOST_LINES }), (all) => {
        const rows = all.map(
          ({ table, key, name, value }): DesiredRow => ({
            table,
            key,
            columns: { ...(name !== null && { name }), value, options: { map: { [`k${value}`]: "1" } } },
          }),
        );
        const counted = rowLines(rows);
        expect(Object.entries(counted)).toEqual(
          Object.entries(summarize(rows.map((one) => ({ table: one.table, label: rowLabel(one), words: rowWords(one) })))),
        );
        expect(Object.values(counted).every((line) => /^\d+ rows, digest [\w-]{16}$/.test(line))).toBe(true);
      }),
    );
  });

  it("become counts per table if the rows derive from a list", () => {
    const ports = Array.from(
      { length: MOST_OF_TABLE },
      (_, index): DesiredRow => ({ ...port, key: `p${index}`, columns: { ...port.columns, name: `p${index}` } }),
    );
    const routes = Array.from(
      { length: MOST_OF_TABLE + 1 },
      (_, index): DesiredRow => ({ table: "Logical_Router_Static_Route", key: `r${index}`, columns: { ip_prefix: "10.0.0.0/8", nexthop: `10.0.0.${index}` } }),
    );
    const lines = rowLines([...ports, ...routes], "table");
    expect(Object.keys(lines)).toEqual([...ports.map(({ key }) => `Logical_Router_Port ${key}`), "Logical_Router_Static_Route"]);
    expect(lines.Logical_Router_Static_Route).toMatch(/^9 rows, digest [\w-]{16}$/);
    expect(Object.keys(rowLines([...ports, ...routes]))).toHaveLength(17);
    // A row that is missing does not bring the lines back.
    const missing = summarize(
      routes.map((row, index) => ({ table: row.table, label: row.key, words: index === 0 ? undefined : rowWords(row) })),
      "rows",
      "table",
    );
    expect(missing.Logical_Router_Static_Route).toMatch(/^8 rows, digest /);
    expect(
      summarize(
        routes.map((row) => ({ table: row.table, label: row.key, words: undefined })),
        "rows",
        "table",
      ),
    ).toEqual({});
  });

  it("are folded at a width that Pulumi does not cut: by column, and long columns by words", () => {
    const other_config = { map: Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`key${index + 10}`, "v".repeat(10)])) };
    const row: DesiredRow = { table: "Logical_Switch", key: "s", columns: { name: "l2", other_config, qos_rules: [] } };
    const lines = rowLines([row]);
    expect(Object.keys(lines)).toEqual(["Logical_Switch l2 other_config", "Logical_Switch l2 other_config 2", "Logical_Switch l2 other_config 3"]);
    expect(Math.max(...Object.values(lines).map((line) => line.length))).toBeLessThanOrEqual(140);
    expect(`${Object.values(lines).join(" ")} qos_rules=[]`).toBe(rowLine(row));
  });

  it("digests do not depend on order, and differ for any change", () => {
    const other: DesiredRow = { ...port, key: "x", columns: { name: "x" }, parent: { table: "Logical_Router", column: "ports", row: { uuid: "u" } } };
    expect(setDigest(set(port, other))).toBe(setDigest(set(other, { ...port, columns: { ...port.columns, networks: ["100.88.0.4/31", "fd97::4/127"] } })));
    expect(setDigest(set(port))).not.toBe(setDigest(set({ ...port, columns: { ...port.columns, mac: "0a:58:64:58:00:05" } })));
    expect(setDigest(set(port))).not.toBe(setDigest(set({ ...port, key: "other" })));
    expect(setDigest(set(other))).not.toBe(setDigest(set({ ...other, parent: { ...other.parent!, row: { uuid: "v" } } })));
  });

  it("the digest equals that of the rows' JSON, for any text and for frozen rows", () => {
    const value = fc.oneof(fc.string(), fc.constantFrom('"', "\\", "\u0000", "\ud800", "\u007f", "é", 7));
    fc.assert(
      fc.property(value, value, value, fc.boolean(), (key, name, text, frozen) => {
        const row: DesiredRow = {
          table: "ACL",
          key: String(key),
          columns: { name, match: text },
          parent: { table: "T", column: "c", row: { name: String(text) } },
        };
        const single = (one: unknown) => (typeof one === "string" && !/^[\w.:/@%+*$-]+$/.test(one) ? JSON.stringify(one) : String(one));
        const words = [...(typeof name === "string" ? [] : [`name=${single(name)}`]), `match=${single(text)}`].join(" ");
        const json = JSON.stringify(["ACL", String(key), name, words, `T.c of ${single(String(text))}`]);
        const digest = createHash("sha256").update(`OVN_Northbound\n${json}`).digest("base64url").slice(0, 16);
        for (let time = 0; time < 2; time++) expect(setDigest(set(frozen ? Object.freeze(row) : row))).toBe(digest);
      }),
    );
  });

  it("are injective for one text column: two values never have equal lines", () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (left, right) => {
        const line = (value: string) => rowLine({ columns: { description: value } });
        return left === right || line(left) !== line(right);
      }),
    );
  });
});
