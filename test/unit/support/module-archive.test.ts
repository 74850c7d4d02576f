import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { projectRoot } from "../../../sandbox/pulumi-cli";

const FILES: Readonly<Record<string, string>> = {
  // Called as a provider of Pulumi's is.
  "node_modules/@pulumi/pulumi/cmd/dynamic-provider/index.js": `
    const { main } = require("../parts");
    require("node:module").flushCompileCache();
    setTimeout(() => main().then((said) => console.log(JSON.stringify(said))), Number(process.argv[2] ?? 0));`,
  "node_modules/@pulumi/pulumi/cmd/parts.js": `#!/usr/bin/env node
    "use strict";
    const own = this === module.exports;
    exports.main = async () => ({
      own, text: require("./text"), late: (await import("./late.mjs")).default, data: require("./data"), file: __filename.split("/").at(-1), folder: __dirname.endsWith("/cmd"),
      same: require.cache[require.resolve("./text")] === require.cache[__dirname + "/text.js"], main: require.main.id, missing: (() => { try { require("./gone"); } catch ({ code }) { return code; } })(),
      place: new Error().stack.split("\\n")[1].match(/at .*?([^/ (]+):\\d+:\\d+/)[1],
    });`,
  "node_modules/@pulumi/pulumi/cmd/text.js": 'module.exports = [require("./wide"), require("./lean")];\n//# sourceMappingURL=text.js.map',
  "node_modules/@pulumi/pulumi/cmd/wide.js": 'module.exports = ["Grüße — 1", "\\—"];',
  "node_modules/@pulumi/pulumi/cmd/lean.js": '/* → */ module.exports = `€ ${/^[—→]$/.test("→")}`;',
  "node_modules/@pulumi/pulumi/cmd/late.mjs": 'export default "late";',
  "node_modules/@pulumi/pulumi/cmd/data.json": "[1]",
};
const SAID = {
  own: true,
  text: [["Grüße — 1", "—"], "€ true"],
  late: "late",
  data: [1],
  file: "parts.js",
  folder: true,
  same: true,
  main: ".",
  missing: "MODULE_NOT_FOUND",
};

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "modules-"));
  await mkdir(join(folder, "archive"));
  for (const [name, text] of Object.entries(FILES)) await write(name, text);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function write(name: string, text: string): Promise<void> {
  await mkdir(join(folder, name, ".."), { recursive: true });
  await writeFile(join(folder, name), text);
}

const program = () => join(folder, "node_modules/@pulumi/pulumi/cmd/dynamic-provider/index.js");
const lean = { NODE_OPTIONS: `--require ${JSON.stringify(join(projectRoot, "test/support/lean-pulumi.cjs"))}` };
const environment = () => ({ ...lean, PULUMI_OVN_TEST_MODULES: join(folder, "archive") });

async function provider(): Promise<unknown> {
  const { stdout } = await promisify(execFile)(process.execPath, [program()], { env: environment() });
  return JSON.parse(stdout);
}
const archived = () => readdir(join(folder, "archive/dynamic-provider"));

it("writes what the first process loads and how the second compiles it, and all of them do the same", async () => {
  expect(await provider()).toEqual({ ...SAID, place: "parts.js" });
  expect(await archived()).toEqual(["modules.js", "names.json"]);
  const sources = await readFile(join(folder, "archive/dynamic-provider/modules.js"), "latin1");
  // It imports by itself, and has a character that is escaped already: both stay where they are.
  for (const name of ["parts", "wide"]) expect(sources).not.toContain(`/cmd/${name}.js":function`);
  expect([sources.includes("sourceMappingURL"), /[^\0-\xff]/.test(sources)]).toEqual([false, false]);
  expect(await provider()).toEqual({ ...SAID, place: "parts.js" });
  expect(await archived()).toEqual(["code", "modules.js", "names.json"]);
  expect(await provider()).toEqual({ ...SAID, place: "parts.js" });
});

it("takes the code although a program sets a flag of the engine while it loads, as Pulumi's do", async () => {
  await write("node_modules/@pulumi/pulumi/cmd/lean.js", 'require("node:v8").setFlagsFromString("--allow-natives-syntax");');
  const spy = join(folder, "spy.cjs");
  await writeFile(
    spy,
    `const vm = require("node:vm");
    vm.Script = class extends vm.Script { constructor(...args) { super(...args); console.error("refused: " + this.cachedDataRejected); } };`,
  );
  const refused = async () =>
    (
      await promisify(execFile)(process.execPath, [program()], {
        env: { ...environment(), NODE_OPTIONS: `--require ${JSON.stringify(spy)} ${lean.NODE_OPTIONS}` },
      })
    ).stderr;
  expect([await refused(), await refused(), await refused()]).toEqual(["", "refused: undefined\n", "refused: false\n"]);
});

it("opens none of the files again", async () => {
  await write(
    "node_modules/@pulumi/pulumi/cmd/parts.js",
    'exports.main = async () => [require("./text"), require.resolve("./lean").split("/").at(-1), new Error().stack.split("\\n")[1].trim().split(" ").at(-1).replace(/^\\(/, "").split(":")[0]];',
  );
  await write("node_modules/@pulumi/pulumi/cmd/wide.js", 'module.exports = "wide";');
  const first = await provider();
  for (const name of ["text", "wide", "lean", "parts"]) await rm(join(folder, `node_modules/@pulumi/pulumi/cmd/${name}.js`));
  for (const run of ["without code", "with code"]) expect([run, await provider()]).toEqual([run, [["wide", "€ true"], "lean.js", "modules.js"]]);
  expect(first).toEqual([["wide", "€ true"], "lean.js", expect.stringMatching(/parts\.js$/)]);
});

it("writes it when modules are loaded and worked with, for a provider is killed", async () => {
  const child = spawn(process.execPath, [program(), "60000"], { env: environment() });
  const ended = once(child, "exit");
  while (!(await readdir(join(folder, "archive"))).includes("dynamic-provider")) await sleep(20);
  child.kill("SIGKILL");
  expect(await ended).toEqual([null, "SIGKILL"]);
  expect(await archived()).toEqual(["modules.js", "names.json"]);
  expect(await provider()).toEqual({ ...SAID, place: "parts.js" });
});

it("takes a stack's program as it is, which changes from run to run", async () => {
  await write("node_modules/@pulumi/pulumi/cmd/parts.js", `exports.main = async () => require(${JSON.stringify(join(folder, "stack"))});`);
  const said: unknown[] = [];
  for (const run of ["one", "two", "three", "four"]) {
    await write("stack/index.js", `module.exports = [require("./part"), "${run}"];`);
    await write("stack/part.js", `module.exports = "${run}";`);
    said.push(await provider());
  }
  await rm(join(folder, "stack/index.js"));
  await write("stack/package.json", '{ "main": "other.js" }');
  await write("stack/other.js", 'module.exports = "other";');
  expect([...said, await provider()]).toEqual([["one", "one"], ["two", "two"], ["three", "three"], ["four", "four"], "other"]);
});

it("is for processes of Pulumi alone, and only where a folder is named", async () => {
  const script = join(folder, "other.js");
  await writeFile(script, "console.log(1)");
  await promisify(execFile)(process.execPath, [script], { env: environment() });
  await promisify(execFile)(process.execPath, [program()], { env: lean });
  expect(await readdir(join(folder, "archive"))).toEqual([]);
});
