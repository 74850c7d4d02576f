import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";

const root = join(__dirname, "../../..");
const PACKAGES = ["ovsdb-client", "provider", "agent", "cli", "sdk", "sandbox", "policies"];

/** Paths without an entry. */
const OTHERS = [
  // Replaces functions of one compiled module, to write a state as release 0.1 did.
  "test/e2e/members.test.ts: provider/dist/kit/provider-text.js",
  // The program of `npm run sandbox`. The package is private, and has no `bin`.
  "test/support/sandbox-runs.ts: sandbox/dist/commands/sandbox.js",
];

interface Manifest {
  readonly main?: string;
  readonly bin?: Readonly<Record<string, string>>;
  readonly exports?: Readonly<Record<string, string | { readonly default: string }>>;
}

/** Compiled files that a package's manifest names, without extension. */
function entriesOf(name: string): string[] {
  const { main, bin, exports } = JSON.parse(readFileSync(join(root, name, "package.json"), "utf8")) as Manifest;
  const files = [main, ...Object.values(bin ?? {}), ...Object.values(exports ?? {}).map((entry) => (typeof entry === "string" ? entry : entry.default))];
  return files.filter((file) => file !== undefined).map((file) => bare(join(name, file)));
}

const bare = (path: string): string => path.replace(/\.js$/, "").replace(/\/index$/, "");

/** Pure. Paths to compiled files of packages in the text of a test: in programs of child processes, the linter does not see them. */
function compiledPaths(text: string): string[] {
  return [...text.matchAll(/\b([a-z-]+)\/dist\b((?:\/[\w-]+)*(?:\.js)?)/g)].filter(([, name]) => PACKAGES.includes(name!)).map(([path]) => path);
}

it("tests name compiled files of packages only by their entries", () => {
  const entries = new Set(PACKAGES.flatMap(entriesOf));
  const files = execFileSync("git", ["ls-files", "test/*.ts", "test/*.js", "test/*.mts"], { cwd: root, encoding: "utf8" }).trim().split("\n");
  const others = files
    .filter((file) => file !== "test/unit/docs/entries.test.ts")
    .flatMap((file) => compiledPaths(readFileSync(join(root, file), "utf8")).map((path) => [file, path] as const))
    .filter(([, path]) => !entries.has(bare(path)));
  expect(others.map(([file, path]) => `${file}: ${path}`)).toEqual(OTHERS);
});

/** Files that only export from others, without an entry of their own. */
const PARTS = ["provider/kit/address/index.ts", "sdk/former-names.ts", "sdk/resources/index.ts", "sdk/types.ts"];

/** Pure. Whether a source only exports from other files. */
const isBarrel = (source: string): boolean =>
  source
    .replace(/^\s*(?:\/\/.*|\/\*[^]*?\*\/)$/gm, "")
    .replace(/export (?:type )?(?:\*(?: as \w+)?|\{[^}]*\}) from "[^"]*";/g, "")
    .trim() === "";

it("packages have a barrel for each entry, and no others", () => {
  const files = execFileSync("git", ["ls-files", ...PACKAGES.map((name) => `${name}/*.ts`)], { cwd: root, encoding: "utf8" })
    .trim()
    .split("\n");
  const entries = new Set(PACKAGES.flatMap((name) => [...entriesOf(name).map((entry) => entry.replace("/dist", "")), `${name}/testing`]));
  const barrels = files.filter((file) => isBarrel(readFileSync(join(root, file), "utf8")));
  expect(barrels.filter((file) => !entries.has(file.replace(/(\/index)?\.ts$/, "")))).toEqual(PARTS);
});

it("finds paths in programs of child processes", () => {
  expect(compiledPaths('require("./provider/dist/backends/rows/engine"), join(root, "cli/dist"), "other/dist/a.js"')).toEqual([
    "provider/dist/backends/rows/engine",
    "cli/dist",
  ]);
});
