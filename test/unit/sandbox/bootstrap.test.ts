import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "bootstrap-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** The scripts are ECMAScript modules for Node 18, so they are called as such. */
const call = (module: string, name: string, ...args: unknown[]): unknown => {
  const url = pathToFileURL(join(__dirname, "../../../scripts", module)).href;
  const code = `import { ${name} } from ${JSON.stringify(url)}; console.log(JSON.stringify(${name}(...${JSON.stringify(args)})))`;
  return JSON.parse(execFileSync(process.execPath, ["--input-type=module", "-e", code]).toString());
};

const locks = (wanted: object, present: object | undefined): unknown => {
  writeFileSync(join(folder, "package-lock.json"), JSON.stringify({ packages: { "": {}, sdk: { version: "1" }, ...wanted } }));
  mkdirSync(join(folder, "node_modules"), { recursive: true });
  if (present !== undefined) writeFileSync(join(folder, "node_modules/.package-lock.json"), JSON.stringify({ packages: present }));
  return call("bootstrap.mjs", "isInstalled", folder);
};

test("packages are installed if npm's record contains all of them", () => {
  const a = { "node_modules/a": { version: "1.0.0" } };
  expect(locks(a, undefined)).toBe(false);
  expect(locks(a, a)).toBe(true);
  expect(locks(a, { "node_modules/a": { version: "1.0.1" } })).toBe(false);
  expect(locks(a, {})).toBe(false);
  expect(locks({ ...a, "node_modules/for-another-system": { version: "1.0.0", optional: true } }, a)).toBe(true);
});

test("a project is built if it was compiled without errors after the last change of its sources", () => {
  mkdirSync(join(folder, "dist"));
  mkdirSync(join(folder, "deep"));
  writeFileSync(join(folder, "deep/a.ts"), "");
  writeFileSync(join(folder, "dist/tsconfig.tsbuildinfo"), "");
  expect(call("bootstrap.mjs", "isBuilt", folder)).toBe(false);
  writeFileSync(join(folder, "dist/.built"), "");
  expect(call("bootstrap.mjs", "isBuilt", folder)).toBe(true);
  utimesSync(join(folder, "deep/a.ts"), new Date(), new Date(Date.now() + 5000));
  expect(call("bootstrap.mjs", "isBuilt", folder)).toBe(false);
});

test("compiled files of deleted sources are removed", () => {
  for (const place of ["dist/deep", "deep"]) mkdirSync(join(folder, place), { recursive: true });
  for (const source of ["a.ts", "deep/b.ts"]) writeFileSync(join(folder, source), "");
  for (const name of ["a", "gone", "deep/b", "deep/gone"])
    for (const end of ["js", "d.ts", "js.map", "d.ts.map"]) writeFileSync(join(folder, "dist", `${name}.${end}`), "");
  writeFileSync(join(folder, "dist/tsconfig.tsbuildinfo"), "");
  execFileSync(process.execPath, [
    "--input-type=module",
    "-e",
    `import { prune } from ${JSON.stringify(pathToFileURL(join(__dirname, "../../../scripts/bootstrap.mjs")).href)}; prune(${JSON.stringify(folder)})`,
  ]);
  expect(readdirSync(join(folder, "dist"), { recursive: true }).sort()).toEqual(["a.d.ts", "a.js", "deep", "deep/b.d.ts", "deep/b.js", "tsconfig.tsbuildinfo"]);
});
