import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fold, layout, sceneOf, svg, type ViewName } from "@pulumi-ovn/cli/testing";
import { projectRoot } from "@pulumi-ovn/sandbox/testing";
import regions from "../../../examples/regions/proof.mts";
import { exampleState, type StateEntry } from "../../support/example-state";

const pictures = join(projectRoot, "docs/pictures");
const examples = readdirSync(join(projectRoot, "examples"), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

/** Views of examples that pages show, in addition to the main view of each example. */
const VIEWS: readonly (readonly [example: string, view: ViewName])[] = [
  ["egress-ip", "egress"],
  ["vpc", "policy"],
  ["route-advertisement", "announcements"],
  ["access-control", "policy"],
];

/** Main view of an example; that of the others is the topology. */
const mainOf = (name: string): ViewName => (name === "gitops" ? "announcements" : "topology");

/** Configuration that an example needs. */
const SETTINGS: Readonly<Record<string, Record<string, string>>> = { regions: regions.configuration(), gitops: { "kubernetes:kubeconfig": "kubeconfig" } };

const states = new Map<string, StateEntry[]>();
beforeAll(async () => {
  jest.spyOn(console, "warn").mockImplementation(() => undefined); // Two examples observe a cluster or a zone.
  for (const name of examples) states.set(name, await exampleState(`examples/${name}`, SETTINGS[name]));
  states.set("template", await exampleState("templates/ovn-typescript"));
});
afterAll(() => void jest.restoreAllMocks());

const draw = (name: string, view: ViewName) => svg(layout(fold(sceneOf({ stack: name, before: undefined, after: states.get(name)! }, view))));

const DRAWN = [...[...examples, "template"].map((name) => [name, mainOf(name)] as const), ...VIEWS];
const fileOf = (name: string, view: ViewName) => `${name === "template" ? name : `example-${name}`}${view === mainOf(name) ? "" : `-${view}`}.svg`;

/** Drawn by hand: they show a process in time, and a picture of a stack shows one state, or one update. */
const BY_HAND = ["arguments-to-transaction.svg", "upgrade-states.svg"];

it("has no picture of other resources", () => {
  expect(readdirSync(pictures).sort()).toEqual([...BY_HAND, ...DRAWN.map(([name, view]) => fileOf(name, view))].sort());
});

/** `UPDATE_DOCS=1` writes the pictures. */
test.each(DRAWN)("the picture of %s, view %s, is fresh", (name, view) => {
  const path = join(pictures, fileOf(name, view));
  const current = draw(name, view);
  if (process.env["UPDATE_DOCS"]) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, current);
  }
  expect(existsSync(path) && readFileSync(path, "utf8")).toBe(current);
});

test.each(examples.filter((name) => name !== "quickstart"))("the README of example %s begins with its picture", (name) => {
  const [, , first] = readFileSync(join(projectRoot, "examples", name, "README.md"), "utf8").split("\n");
  expect(first).toMatch(new RegExp(`^!\\[[^\\]]+\\]\\(../../docs/pictures/example-${name}.svg\\)$`));
});

test.each(readdirSync(join(projectRoot, "docs/tutorial")))("the tutorial %s begins with a picture of what it makes", (page) => {
  const sections = readFileSync(join(projectRoot, "docs/tutorial", page), "utf8").split("\n## ");
  const [, picture] = /!\[[^\]]+\]\(\.\.\/pictures\/([\w-]+\.svg)\)/.exec(sections[0]!) ?? [];
  expect([picture, existsSync(join(pictures, picture ?? ""))]).toEqual([expect.stringMatching(/^(template|example-[\w-]+)\.svg$/), true]);
});

it("shows every node, workload, address and external network of the quickstart", () => {
  const picture = draw("quickstart", "topology");
  const node = (index: number) => [
    `zone node${index}`,
    `tunnel address 198.18.0.${index}`,
    `GR_blue_node${index}`,
    `172.18.0.${10 + index}/24`,
    `vm${index}`,
    `203.203.0.${16 + index}`,
  ];
  const shared = [
    "external network physnet",
    "default gateway 172.18.0.1",
    "transit router of blue",
    "switch of blue",
    "subnet 203.203.0.0/16",
    "gateway 203.203.0.1",
    "MTU 1400",
  ];
  const shown = [...picture.matchAll(/<text[^>]*>(.*?)<\/text>/g)].map(([, text]) => text!.replace(/<[^>]*>/g, "\n"));
  const words = new Set(shown.flatMap((text) => text.split("\n")));
  for (const text of [...[1, 2, 3].flatMap(node), ...shared]) expect(words).toContain(text);
});
