import { readFileSync } from "node:fs";
import { join } from "node:path";
import { codesBelow, codesIn } from "./codes";

const root = join(__dirname, "../../..");
const sections = readFileSync(join(root, "docs/reference/errors.md"), "utf8").split(/^(?=## )/m);

/** Codes in a heading of their own, or in the first cell of a table. */
function documented(...titles: string[]): string[] {
  const texts = sections.filter((section) => titles.some((title) => section.startsWith(`## ${title}`)));
  expect(texts).toHaveLength(titles.length);
  return texts.flatMap((text) => [...text.matchAll(/^(?:### `([^`]+)`$|\| `([^`]+)` \|)/gm)].map(([, heading, cell]) => heading ?? cell!)).sort();
}

// "custom" is a code of the schema library. It means that a code of this package follows.
const thrown = (...folders: string[]) => codesBelow(folders.map((folder) => join(root, folder))).filter((code) => code !== "custom");

it("names every code of arguments, operations and the command line, and none besides", () => {
  expect(documented("Arguments", "Warnings", "Operations", "The command line", "The BGP agent")).toEqual(
    thrown("ovsdb-client", "provider", "agent", "sdk", "cli"),
  );
});

it("names every code of the sandbox, and none besides", () => {
  expect(documented("The sandbox")).toEqual(thrown("sandbox"));
});

it("finds codes wherever they stand", () => {
  const source = `
    failures.add(at("x", [1]), "one", \`text\`);
    throw ArgumentError.of("", "two", "text");
    throw new RowError("OVN_THREE", "text", undefined);
    const error = { property: "a", code: "four" };
    readonly: { class E { readonly code = "OVN_FIVE" as const } }
    throw new SandboxError("six", "OVN_NOT_A CODE");
    throw new RunError(\`\${name}: text [seven-eight]\`);
    list.add("nine", "ten", "eleven");
    f("OVN_Northbound", code, "twelve");`;
  expect([...codesIn(source)].sort()).toEqual(["OVN_FIVE", "OVN_THREE", "four", "one", "seven-eight", "six", "two"]);
});
