import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import * as ts from "typescript";
import { sourcesOf } from "./docs/codes";

const root = join(__dirname, "../..");

/** What each package may import of the others: the table in CONTRIBUTING.md. */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  "ovsdb-client": [],
  provider: ["@pulumi-ovn/ovsdb-client"],
  sdk: ["@pulumi-ovn/provider", "@pulumi-ovn/provider/runtime"],
  cli: ["@pulumi-ovn/cli/package.json", "@pulumi-ovn/ovsdb-client", "@pulumi-ovn/provider", "@pulumi-ovn/provider/tools", "@pulumi-ovn/provider/targets"],
  sandbox: [],
};

/** `file: specifier`, of every import that leads to another package of the workspace or out of the own folder. */
function imports(folder: string): { file: string; specifier: string }[] {
  return sourcesOf(join(root, folder)).flatMap((path) => {
    const { importedFiles } = ts.preProcessFile(readFileSync(path, "utf8"), true, true);
    return importedFiles.map(({ fileName }) => ({ file: relative(root, path), specifier: fileName }));
  });
}

const ofWorkspace = (specifier: string) => /^(pulumi-ovn|@pulumi-ovn\/)/.test(specifier);

it.each(Object.keys(ALLOWED))("%s imports no more of the workspace than it may", (folder) => {
  const found = imports(folder);
  expect(found.length).toBeGreaterThan(5);
  const wrong = found.filter(({ file, specifier }) => {
    if (specifier.startsWith(".")) return !join(file, "..", specifier).startsWith(`${folder}/`);
    return ofWorkspace(specifier) && !ALLOWED[folder]!.includes(specifier);
  });
  expect(wrong).toEqual([]);
});

it("loads the inside that is there for the command line tools nowhere in the provider", () => {
  expect(imports("provider").filter(({ specifier }) => /(^|\/)tools$/.test(specifier))).toEqual([]);
});

it("depends on the command line tools from the sdk for its bin alone", () => {
  const { dependencies, bin } = JSON.parse(readFileSync(join(root, "sdk/package.json"), "utf8")) as { dependencies: Record<string, string>; bin: Record<string, string> };
  expect(dependencies["@pulumi-ovn/cli"]).toBeDefined();
  expect(readFileSync(join(root, "sdk", bin["pulumi-ovn"]!), "utf8")).toContain('require("@pulumi-ovn/cli").main(');
});
