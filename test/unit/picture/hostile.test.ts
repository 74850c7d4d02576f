import fc from "fast-check";
import { fold, GITLAB, layout, mermaid, sceneOf, svg } from "@pulumi-ovn/cli/testing";
import { drawnNetwork } from "../../support/drawn-network";

const HOSTILE = [
  '"',
  "'",
  "</script>",
  "<!--",
  "]]>",
  "&amp;",
  "\u202e",
  "\u0000",
  "\ud800",
  "```",
  "#quot;",
  "|",
  "]",
  "\n",
  "end",
  "%%{init}%%",
  "שלום",
  "a".repeat(300),
  "__proto__",
  "constructor",
];
const name = fc.oneof(
  fc.array(fc.oneof(fc.constantFrom(...HOSTILE), fc.string({ unit: "grapheme" })), { minLength: 1, maxLength: 4 }).map((parts) => parts.join("")),
  fc.constantFrom(...HOSTILE),
);
const names = fc.uniqueArray(name, { minLength: 1, maxLength: 6 });

const draw = (zones: readonly string[], workloads: readonly string[], address: string) => {
  const nodes = Object.fromEntries(zones.map((zone) => [zone, { addresses: [address] }]));
  const guests = Object.fromEntries(workloads.map((workload, index) => [workload, { zone: zones[index % zones.length]!, addresses: [address] }]));
  return sceneOf({ stack: zones[0]!, before: drawnNetwork(workloads[0]!, nodes), after: drawnNetwork(workloads[0]!, nodes, guests) }, "topology");
};

/** Names of elements in a document, if tags are balanced and everything between them is escaped. */
function elements(xml: string): string[] {
  const open: string[] = [];
  const found: string[] = [];
  const token = /<(\/?)([a-z]+)((?: [a-zA-Z:-]+="[^"<&]*(?:&[a-z0-9#]+;[^"<&]*)*")*)(\/?)>|([^<>&]+|&(?:amp|lt|gt|quot|#39);)/gy;
  while (token.lastIndex < xml.length) {
    const at = token.lastIndex;
    const match = token.exec(xml);
    if (!match) throw new Error(`not well-formed: ${xml.slice(at, at + 80)}`);
    const [, close, tag, , empty] = match;
    if (tag === undefined) continue;
    if (close) {
      if (open.pop() !== tag) throw new Error(`${tag} ends`);
    } else {
      found.push(tag);
      if (!empty) open.push(tag);
    }
  }
  expect(open).toEqual([]);
  return found;
}

const ALLOWED = new Set(["svg", "title", "style", "defs", "marker", "circle", "path", "rect", "text", "tspan", "g"]);

it("draws any names as well-formed SVG without other elements", () => {
  fc.assert(
    fc.property(names, names, name, (zones, workloads, address) => {
      const picture = svg(layout(fold(draw(zones, workloads, address))));
      const style = /<style>[^<]*<\/style>/.exec(picture)![0];
      expect(elements(picture.replace(style, "")).filter((element) => !ALLOWED.has(element))).toEqual([]);
      expect(picture).not.toMatch(/[\u202a-\u202e\u2066-\u2069\u0000-\u0008\p{Cs}]/u);
    }),
    { numRuns: 80 },
  );
});

/** Labels that Mermaid 11.4.0 and 12.3.0 show as the name, alone and next to other lines. `|` and `^` stand for U+FEFF and U+2060. */
it.each([
  ["GR_blue_node-2", "GR_blue_node-2"],
  ["__x__", "^|_|_|x|_|_|"],
  ["a*b*", "a|#42;|b|#42;|"],
  ["~~a~~", "^|~|~|a|~|~|"],
  ["---", "^---"],
  ["- x", "^- x"],
  ["1. x", "^1. x"],
  ["10.0.0.1", "10.0.0.1"],
  ["http://x.y", "http|:|//x.y"],
  ["WWW.x.y a@b.c", "WWW|.|x.y a|@|b.c"],
  ["[a](b)", "^#91;a|#93;|#40;b#41;"],
  ["`x`", "ˋxˋ"],
  ["fa:fa-car $$x$$", "fa|:|fa-car |#36;|#36;|x|#36;|#36;|"],
  ["<b>&amp;\\", "^#60;b#62;#38;amp#59;|#92;|"],
])("writes the name %j so that Mermaid reads no Markdown in it", (name, label) => {
  const after = drawnNetwork("blue", { node1: {} }, { [name]: { zone: "node1", addresses: ["10.0.0.1"] } });
  expect(mermaid(sceneOf({ stack: "net/dev", before: undefined, after }, "topology"), GITLAB)).toContain(
    `("${label.replaceAll("|", "\ufeff").replaceAll("^", "\u2060")}<br/>`,
  );
});

it("writes Mermaid in which names can end neither a label nor the code block", () => {
  fc.assert(
    fc.property(names, names, name, (zones, workloads, address) => {
      const text = mermaid(draw(zones, workloads, address), GITLAB);
      expect(text.length).toBeLessThanOrEqual(GITLAB.characters);
      expect(text).not.toContain("```");
      for (const line of text.trimEnd().split("\n").slice(1)) {
        expect(line).toMatch(
          /^ ?(?:b\d+[[({>/]+"[^"`<]*(?:<br\/>[^"`<]*)*"[\])}/]+(?::::[a-z]+)?|subgraph c\d+\["[^"`<]*"\]|end|b\d+ (?:---|===|-\.-|==>\|moves\|) b\d+|classDef [a-z]+ [a-z0-9#:,\- ]+|all\["[^"]*"\])$/,
        );
      }
    }),
    { numRuns: 80 },
  );
});
