import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { projectRoot } from "@pulumi-ovn/sandbox/testing";

const examples = join(projectRoot, "examples");
const folders = readdirSync(examples, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);
const settingsIn = (folder: string) => JSON.parse(readFileSync(join(folder, "tsconfig.json"), "utf8")) as Record<string, unknown>;

it("all examples are compiled with the same settings, and type-checked together", () => {
  const one = settingsIn(join(examples, "quickstart"));
  expect(Object.fromEntries(folders.map((name) => [name, settingsIn(join(examples, name))]))).toEqual(Object.fromEntries(folders.map((name) => [name, one])));
  const { fileNames, options, errors } = ts.parseJsonConfigFileContent(settingsIn(examples), ts.sys, examples);
  expect([errors, options["strict"], options["noCheck"]]).toEqual([[], true, undefined]);
  expect(fileNames).toEqual(expect.arrayContaining(folders.map((name) => join(examples, name, "index.ts"))));
});
