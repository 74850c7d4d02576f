import * as fc from "fast-check";
import { compose, type Difference, type Format, jsonFormat, markdownFormat, textFormat } from "@pulumi-ovn/cli/diff";
import { clipped, fit, NO_COUNTS, targetDifferences } from "@pulumi-ovn/cli/testing";
import { difference } from "./arbitrary";

const FORMATS: readonly (readonly [string, Format])[] = [
  ["text", textFormat(false)],
  ["coloured text", textFormat(true)],
  ["Markdown", markdownFormat],
  ["JSON", jsonFormat],
];
const LEFT_OUT = /Left out, to stay within|"omitted":\{/;

describe.each(FORMATS)("%s", (_name, format) => {
  it("respects its limit for any change, and reports omissions", () => {
    fc.assert(
      fc.property(difference, fc.integer({ min: 2_000, max: 20_000 }), (made, most) => {
        const layout = format(made);
        const [whole, short] = [compose(layout, 0), compose(layout, most)];
        expect(Buffer.byteLength(short)).toBeLessThanOrEqual(most);
        // No half characters: the bytes are those of the text.
        expect(Buffer.from(short).toString()).toBe(short);
        expect(Buffer.from(whole).toString()).toBe(whole);
        expect(LEFT_OUT.test(whole)).toBe(false);
        if (short !== whole) expect(short).toMatch(LEFT_OUT);
        expect(compose(layout, Buffer.byteLength(whole))).toBe(whole);
      }),
      { numRuns: 40 },
    );
  });
});

/** Zones with a few unique rows each. */
function zones(count: number, value: (index: number) => string, rows = 1): Difference {
  const counts = { ...NO_COUNTS, added: rows };
  const rowsOf = (index: number) =>
    Array.from({ length: rows }, (_, row) => ({
      operation: "add" as const,
      table: "Logical_Switch_Port",
      row: `vm${index + 1}${row === 0 ? "" : `-${row}`}`,
      columns: [{ column: "addresses", before: null, after: value(index) }],
    }));
  const all = Array.from({ length: count }, (_, index) => ({
    zone: `node${index + 1}`,
    counts,
    resources: [{ kind: "WorkloadPorts", name: "ports", operation: "update" as const, counts, rows: rowsOf(index) }],
  }));
  return {
    project: "trial",
    stack: "dev",
    failed: false,
    counts: { zones: count, hosts: 0, clusters: 0, ...NO_COUNTS, added: count * rows },
    diagnostics: [],
    zones: all,
    hosts: [],
    clusters: [],
    intents: [],
    others: [],
  };
}
const markdown = (made: Difference, most: number) => compose(markdownFormat(made), most);

it("cuts one row of 100 kB, between characters", () => {
  const text = markdown(
    zones(1, () => "🌊日".repeat(15_000)),
    60_000,
  );
  expect(text).toContain(`+ Logical_Switch_Port vm1: addresses=${"🌊日".repeat(53)}… (44,841 more characters)`);
  expect(text).toContain("the ends of long values of 1 zone.");
  expect(
    markdown(
      zones(1, () => "🌊日".repeat(15_000)),
      0,
    ),
  ).toContain("🌊日".repeat(15_000));
});

it("omits rows of whole zones first, then counts, then zones, and never the total", () => {
  const made = zones(400, (index) => `row-${index}-${"x".repeat(60)}`, 8);
  const shown = (most: number) => {
    const text = markdown(made, most);
    expect(text).toContain("### `trial/dev`: 400 zones, 3200 rows added\n");
    const count = (pattern: RegExp) => text.match(pattern)?.length ?? 0;
    return {
      rows: count(/^@@ WorkloadPorts/gm),
      counts: count(/^WorkloadPorts ports: Logical_Switch_Port 8 added$/gm),
      lines: count(/^<p>zone/gm),
      note: /Left out[^:]*: (.*?) The counts/.exec(text)?.[1],
    };
  };
  expect(shown(600_000)).toEqual({ rows: 400, counts: 0, lines: 0, note: undefined });
  const some = shown(200_000);
  expect([some.rows + some.counts, some.rows > 100, some.counts > 100, some.lines, some.note]).toEqual([
    400,
    true,
    true,
    0,
    `the rows of ${some.counts} zones, of which only counts are shown.`,
  ]);
  const counted = shown(40_000);
  expect([counted.counts + counted.lines, counted.counts > 50, counted.lines > 50, counted.rows]).toEqual([400, true, true, 0]);
  const listed = shown(10_000);
  expect([listed.lines > 100, listed.counts, listed.rows, listed.note]).toEqual([
    true,
    0,
    0,
    `the rows of ${listed.lines} zones, of which only counts are shown; all of ${400 - listed.lines} zones.`,
  ]);
});

it("shows irreversible changes before others", () => {
  const made = zones(60, (index) => `row-${index}-${"x".repeat(100)}`, 8);
  const last = made.zones[59]!;
  const text = markdown({ ...made, zones: [...made.zones.slice(0, 59), { ...last, resources: [{ ...last.resources[0]!, operation: "delete" }] }] }, 2_600);
  expect(text).toContain("\n**1 resource deleted**\n");
  expect(text).toContain("zone <code>node60</code>: 8 rows added; <strong>1 resource deleted</strong></p>");
  expect(text).not.toContain("<code>node59</code>");
});

it("divides the space between long and short zones", () => {
  const made = zones(10, () => "y");
  const [first] = made.zones;
  const huge = {
    ...made,
    zones: [{ ...first!, resources: Array.from({ length: 500 }, (_, index) => ({ ...first!.resources[0]!, name: `r${index}` })) }, ...made.zones.slice(1)],
  };
  const text = markdown(huge, 8_000);
  expect(text.match(/addresses=y/g)).toHaveLength(9);
  expect(text).toContain("<p>zone <code>node1</code>: 1 row added</p>");
});

it("shows errors and warnings before all else", () => {
  const made = {
    ...zones(100, () => "x".repeat(500)),
    diagnostics: [{ severity: "error" as const, message: `it broke\n${"y".repeat(9_000)}` }],
    intents: [],
    others: [{ operation: "delete", type: "t", name: "n", ovn: false, properties: [] }],
  };
  const text = compose(textFormat(false)(made), 2_500);
  expect(text).toContain("error: it broke\n");
  expect(text).toContain("- t n DELETED\n");
  expect(text).toMatch(/1 message, in whole or in part\./);
});

it("cuts JSON into valid JSON", () => {
  fc.assert(
    fc.property(difference, fc.constantFrom(0, 2_000, 5_000), (made, most) => {
      const read = JSON.parse(compose(jsonFormat(made), most)) as Difference & { version: number; omitted: Record<string, number> | null };
      expect([read.version, read.failed, read.counts]).toEqual([1, made.failed, made.counts]);
      if (read.omitted === null)
        expect([targetDifferences(read), read.intents, read.others, read.diagnostics]).toEqual(
          JSON.parse(JSON.stringify([targetDifferences(made), made.intents, made.others, made.diagnostics])),
        );
      else {
        const cut = (targetDifferences(read) as readonly { omitted?: string }[]).filter(({ omitted }) => omitted !== undefined).length;
        expect([read.omitted.zonesWithoutRows, read.omitted.zones, read.omitted.intents, read.omitted.others, read.omitted.diagnostics]).toEqual([
          cut,
          targetDifferences(made).length - targetDifferences(read).length,
          made.intents.length - read.intents.length,
          made.others.length - read.others.length,
          made.diagnostics.length - read.diagnostics.length,
        ]);
      }
    }),
    { numRuns: 40 },
  );
});

describe("fit", () => {
  const part = (...levels: [string, number][]) => ({ levels: levels.map(([text, rank]) => ({ text, rank })) });

  it("includes lower ranks of all parts first", () => {
    const parts = [part(["a", 1], ["aaaaa", 3]), part(["b", 1], ["bbbbb", 2]), part(["cc", 0])];
    expect([0, 1, 2, 3, 4, 8, 12].map((most) => fit(parts, most))).toEqual([
      [-1, -1, -1],
      [0, -1, -1],
      [-1, -1, 0],
      [0, -1, 0],
      [0, 0, 0],
      [0, 1, 0],
      [1, 1, 0],
    ]);
  });

  it("counts bytes, and includes no more parts than exist", () => {
    const level = fc.record({ text: fc.string({ unit: "binary", maxLength: 9 }), rank: fc.nat(4) });
    fc.assert(
      fc.property(fc.array(fc.record({ levels: fc.array(level, { maxLength: 4 }) })), fc.nat(40), (parts, most) => {
        const chosen = fit(parts, most);
        expect(Buffer.byteLength(parts.map(({ levels }, index) => levels[chosen[index]!]?.text ?? "").join(""))).toBeLessThanOrEqual(most);
      }),
    );
  });
});

it("clips between characters", () => {
  expect([clipped("abc", 3), clipped("abcd", 3), clipped("a🌊b", 2), clipped("a🌊bc", 3)]).toEqual([
    "abc",
    "abc… (1 more characters)",
    "a… (3 more characters)",
    "a🌊… (2 more characters)",
  ]);
});
