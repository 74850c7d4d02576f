import * as fc from "fast-check";
import { compose, type Difference, markdownFormat } from "@pulumi-ovn/cli/diff";
import { code, NO_COUNTS } from "@pulumi-ovn/cli/testing";
import { difference, hostile } from "./arbitrary";

/** Document without its code blocks and spans: CommonMark 0.31, 4.5 (blocks) and 6.1 (spans). */
function outsideOfCode(text: string): string[] {
  const left: string[] = [];
  let fence: string | undefined;
  for (const line of text.split("\n")) {
    if (fence === undefined) fence = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    else {
      const end = /^ {0,3}(`{3,}|~{3,}) *$/.exec(line)?.[1];
      if (end !== undefined && end[0] === fence[0] && end.length >= fence.length) fence = undefined;
      continue;
    }
    if (fence === undefined) left.push(withoutSpans(line));
  }
  if (fence !== undefined) left.push("UNCLOSED");
  return left;
}

function withoutSpans(line: string): string {
  const html = line.replace(/<code>[^<>"]*<\/code>/g, "CODE");
  return html.replace(/(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)/g, "CODE");
}

/** Every line that this package writes itself. */
const ROWS = String.raw`(no )?(row|object)s?( added| adopted| changed| removed| written again)?|\d+ (row|object)s?( (added|adopted|changed|removed|written again)|:( \d+ (added|adopted|changed|removed|written again),?)+)|rows|objects`;
const COUNTS = String.raw`(${ROWS})(, and those)?( of \d+ resources? that the preview does not show)?`;
const DANGER = String.raw`(\d+ resources? (deleted|replaced|moved elsewhere)(, )?)+`;
const TITLE = String.raw`(zone|host|cluster|\d+ (zone|host|cluster)s) CODE((, | … )CODE)*: ${COUNTS}(; <strong>${DANGER}</strong>)?(; in each)?`;
const OWN = [
  String.raw`### CODE: ((\d+ (zone|host|cluster)s?, ${COUNTS}(; )?)*(\d+ intents?(; )?)?(\d+ other resources?)?|no changes|nothing was compared)`,
  String.raw`\*\*(The preview failed: what it shows is not the whole change\.|${DANGER})\*\*`,
  String.raw`\*\*(error|warning)\*\*( CODE)?: ?(CODE)?`,
  String.raw`<details( open)?><summary>${TITLE}</summary>`,
  "</details>",
  `<p>${TITLE}</p>`,
  "- CODE",
  String.raw`\*\*(No packet takes|Packets take) another way \(\d+ connections? simulated\)\*\*`,
  String.raw`- (Lost|Gained|Another way|Not known after the update): CODE(, CODE)*( and \d+ more)? to CODE(, CODE)*: icmp IPv4(; CODE(, CODE)*)?; CODE decides`,
  String.raw`- Announcements: CODE, CODE: (CODE( CODE)*( and \d+ more)?(, )?)*`,
  String.raw`- Logical flows: zone CODE, CODE: \+\d+ -\d+`,
  String.raw`- Flows of hosts: host CODE, CODE: \+\d+ -\d+`,
  String.raw`- Not known: (CODE|zone CODE: CODE is left out: CODE|Open connections, ECMP choices, host routing, FRR and MTU are not simulated\.)`,
  String.raw`> Left out, to stay within [\w ,;:.]+ CODE`,
  "",
].map((pattern) => new RegExp(`^(${pattern})$`));

it("shows all text of a stack as code, for any names", () => {
  fc.assert(
    fc.property(difference, fc.constantFrom(0, 2_000, 6_000, 60_000), (made, most) => {
      const text = compose(markdownFormat(made), most);
      expect(outsideOfCode(text).filter((line) => !OWN.some((pattern) => pattern.test(line)))).toEqual([]);
      expect(text).not.toMatch(/[\p{Cf}\p{Cs}\u0000-\u0009\u000b-\u001f]/u);
    }),
    { numRuns: 120 },
  );
});

it("encloses any text in a span that no character of it ends", () => {
  fc.assert(
    fc.property(hostile, (text) => {
      const span = code(text);
      const ticks = /^`+/.exec(span)![0];
      const inside = span.slice(ticks.length, -ticks.length);
      expect([span.length > 2 * ticks.length, span.endsWith(ticks)]).toEqual([true, true]);
      expect(inside.split(/(?<!`)(?=`)/).some((part) => /^`+/.exec(part)?.[0] === ticks)).toBe(false);
      expect(span).not.toContain("\n");
    }),
  );
  expect([code("a"), code("`a"), code("a``b"), code(""), code(" a "), code("\n")]).toEqual(["`a`", "`` `a ``", "```a``b```", "`  `", "`  a  `", "`\\u{a}`"]);
});

const counts = { ...NO_COUNTS, added: 1 };
const named = (name: string): Difference => ({
  project: name,
  stack: name,
  failed: false,
  counts: { zones: 1, hosts: 0, clusters: 0, ...counts },
  diagnostics: [{ severity: "warning", message: name, resource: name }],
  zones: [
    {
      zone: name,
      counts,
      resources: [
        {
          kind: name,
          name,
          operation: "delete",
          counts,
          rows: [{ operation: "add", table: name, row: name, columns: [{ column: name, before: null, after: name }] }],
        },
      ],
    },
  ],
  hosts: [],
  clusters: [],
  intents: [{ kind: name, network: name, operation: "add", intent: name }],
  others: [{ operation: "create", type: name, name, ovn: false, properties: [name] }],
});

it("shows hostile names as they are", () => {
  const text = compose(markdownFormat(named("</code><img src=x>`@me`|#1\n```\n")), 0);
  expect(text).toContain(
    "### ````</code><img src=x>`@me`|#1\\u{a}```\\u{a}/</code><img src=x>`@me`|#1\\u{a}```\\u{a}````: 1 zone, 1 row added; 1 intent; 1 other resource",
  );
  expect(text).toContain(
    "<summary>zone <code>&lt;/code&gt;&lt;img src=x&gt;`@me`|#1\\u{a}```\\u{a}</code>: 1 row added; <strong>1 resource deleted</strong></summary>",
  );
  expect(text).toContain("\n````diff\n@@ </code><img");
});
