import { readFileSync } from "node:fs";
import { join } from "node:path";
import { codeDifferences, errorsPage } from "../../../docs/generator/errors";
import { codesIn } from "../../../docs/generator/errors/scan";

const root = join(__dirname, "../../..");

it("has a fresh page with every code of the sources: run `npm run docs` after a change in docs/generator/errors", () => {
  expect(readFileSync(join(root, "docs/reference/errors.md"), "utf8")).toBe(errorsPage(root));
});

it("reports codes without an entry and entries without a code", () => {
  const group = { title: "Sandbox", intro: "", folders: ["sandbox"], entries: { invented: ["Cause.", ""] } as const };
  expect(codeDifferences(root, [group])).toEqual(expect.arrayContaining(["no entry: not-linux", "no source: invented"]));
});

it("finds codes in every form of source", () => {
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
