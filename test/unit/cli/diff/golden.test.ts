import { readFileSync } from "node:fs";
import { join } from "node:path";
import { compose, differenceOf, jsonFormat, markdownFormat, readPreview, textFormat } from "@pulumi-ovn/cli/diff";
import { type FakeStep, inputsOf, network, networkPreview, root, stepOf } from "./support";

const page = readFileSync(join(__dirname, "../../../../docs/how-to/diff.md"), "utf8");
const read = (document: object) => differenceOf(readPreview(JSON.stringify(document), "it"));

it("is the example of the page", async () => {
  const text = compose(textFormat(false)(read(await networkPreview(network(3), network(4)))), 60_000);
  const shown = text.replace(/(?<=zone node4: 30 rows added\n(?:.*\n){3})(?:.*\n)+/, "    ...\n");
  expect(page).toContain(`\n\`\`\`\n${shown}\`\`\`\n`);
});

/** Something of everything. */
async function everything(): Promise<object> {
  const sw = (change: object = {}) => inputsOf("Layer2Switch", "sw", { zone: "node1", name: "l2", subnets: ["203.203.0.0/16"], tunnelKey: 5, ...change });
  const sets = (addresses: string[]) =>
    inputsOf("NorthboundRows", "sets", { zone: "node1", entries: { a: { table: "Address_Set", columns: { name: "a", addresses } } } });
  const others: FakeStep[] = [
    { op: "create", urn: "urn:pulumi:dev::trial::kubernetes:core/v1:ConfigMap::map", newState: { type: "x", inputs: {} } },
    { op: "delete", urn: "urn:pulumi:dev::trial::kubernetes:core/v1:Pod::pod", oldState: { type: "x", inputs: {} } },
    ...["a", "b"].map(
      (name): FakeStep => ({ op: "create", urn: `urn:pulumi:dev::trial::pulumi-nodejs:dynamic/ovn:Propagation::${name}`, newState: { type: "x", inputs: {} } }),
    ),
  ];
  const steps = [
    ...stepOf("Layer2Switch", "sw", await sw(), await sw({ subnets: ["203.204.0.0/16"], multicast: undefined })),
    ...stepOf("Layer2Switch", "old", await sw({ name: "old" }), undefined),
    ...stepOf("Layer2Switch", "moves", await sw({ name: "moves" }), await sw({ name: "moves", zone: "node2" })),
    ...stepOf(
      "NorthboundRows",
      "sets",
      await sets(["10.0.0.1", "10.0.0.2", "10.0.0.3", "10.0.0.4"]),
      await sets(["10.0.0.1", "10.0.0.2", "10.0.0.3", "10.0.0.9"]),
    ),
    ...stepOf("Layer2Switch", "secret", undefined, await sw({ redact: ["name"] })),
  ];
  return {
    steps: [root, ...others, ...steps],
    diagnostics: [
      { severity: "warning", message: "warning: careful", urn: "urn:pulumi:dev::trial::t::sw" },
      { severity: "warning", message: "two\nlines" },
    ],
  };
}

const golden = (file: string) => readFileSync(join(__dirname, file), "utf8");

it("is text", async () => {
  expect(compose(textFormat(false)(read(await everything())), 60_000)).toBe(golden("golden.txt"));
});

it("is Markdown", async () => {
  expect(compose(markdownFormat(read(await everything())), 60_000)).toBe(golden("golden.md"));
});

it("is JSON", async () => {
  const difference = read(await everything());
  const { version, omitted, ...rest } = JSON.parse(compose(jsonFormat(difference), 0)) as Record<string, unknown>;
  expect([version, omitted]).toEqual([1, null]);
  expect(rest).toEqual(JSON.parse(JSON.stringify(difference)));
  // The page shows every field.
  const names = new Set(
    JSON.stringify(rest)
      .match(/"[A-Za-z]+"(?=:)/g)!
      .map((name) => name.slice(1, -1)),
  );
  expect([...names].filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});

it("is short without changes", () => {
  const none = read({ steps: [root] });
  expect([textFormat(false), markdownFormat].map((format) => compose(format(none), 60_000))).toEqual([
    "trial/dev: no changes\n",
    "### `trial/dev`: no changes\n",
  ]);
  const failed = read({ steps: [root], diagnostics: [{ severity: "error", message: "error: boom" }] });
  expect(compose(textFormat(false)(failed), 60_000)).toBe(
    "trial/dev: nothing was compared\nThe preview failed: what it shows is not the whole change.\nerror: boom\n",
  );
});

it("has colours on request, and removes those of names", async () => {
  const difference = read(await everything());
  const coloured = compose(textFormat(true)(difference), 60_000);
  expect(coloured).toContain("\u001b[31m- Logical_Switch old: ");
  expect(coloured).toContain("\u001b[32m+ other_config:subnet=203.204.0.0/16\u001b[0m\n");
  expect(coloured.replaceAll(/\u001b\[\d+m/g, "")).toBe(compose(textFormat(false)(difference), 60_000));
  const named = read({ steps: [root, { op: "create", urn: "urn:pulumi:dev::trial::t::\u001b[2J\u202e\n", newState: { type: "t" } }] });
  expect(compose(textFormat(false)(named), 60_000)).toBe("trial/dev: 1 other resource\n\n+ t \\u{1b}[2J\\u{202e}\\u{a} created\n");
});
