import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const ROOT = join(__dirname, "../../..");
const NAMES = /^(?:import|export) (?:type )?\{([^}]*)\}(?: from "([^"]+)")?/gm;
const PACKAGES = {
  provider: "@pulumi-ovn/provider",
  agent: "@pulumi-ovn/agent",
  cli: "@pulumi-ovn/cli",
  sandbox: "@pulumi-ovn/sandbox",
  "ovsdb-client": "@pulumi-ovn/ovsdb-client",
  sdk: "pulumi-ovn",
};

/** Names in the braces of all imports or exports of a file, with the module. */
const namesIn = (file: string): (readonly [module: string, name: string])[] =>
  [...readFileSync(join(ROOT, file), "utf8").matchAll(NAMES)].flatMap(([text, names, module = ""]) =>
    names!.split(",").flatMap((name) => {
      const [inside, outside = inside] = name
        .trim()
        .replace(/^type /, "")
        .split(" as ");
      return inside ? [[module, text.startsWith("import") ? inside : outside!] as const] : [];
    }),
  );

const imported = new Set(
  ["test", "bench", "docs/generator"]
    .flatMap((folder) => readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" }).map((file) => join(folder, file)))
    .filter((file) => file.endsWith(".ts") && !file.includes("/dist/"))
    .flatMap((file) => namesIn(file).map((both) => both.join(" "))),
);

test.each(Object.entries(PACKAGES))("each name in %s/testing.ts is imported by a test", (folder, name) => {
  const exported = namesIn(`${folder}/testing.ts`);
  expect(exported.length).toBeGreaterThan(0);
  expect(exported.filter(([, own]) => !imported.has(`${name}/testing ${own}`)).map(([, own]) => own)).toEqual([]);
});
