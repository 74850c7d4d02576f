import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

const folder = mkdtempSync(join(tmpdir(), "young-heap-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** What survives makes V8 enlarge its young generation, of which the second half counts from its first use. */
const program = `
const { getHeapSpaceStatistics } = require("node:v8");
const size = () => getHeapSpaceStatistics().find(({ space_name }) => space_name === "new_space").space_size;
require(${JSON.stringify(join(__dirname, "../../../sdk/young-heap.ts"))});
const before = size();
const kept = Array.from({ length: 500_000 }, (_, index) => ({ index }));
console.log(JSON.stringify({ grown: size() > 2 * before, kept: kept.length }));`;

/** Whether the young generation grows in a process whose program is this file; a V8 that did not know the flag would say so. */
function grown(path: string): unknown {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, program);
  const { stdout, stderr } = spawnSync(process.execPath, ["--no-warnings", file], { encoding: "utf8", env: { ...process.env, NODE_OPTIONS: "" } });
  expect(stderr).toBe("");
  return JSON.parse(stdout);
}

it.each(["node_modules/@pulumi/pulumi/cmd/run/index.js", "node_modules/@pulumi/pulumi/cmd/dynamic-provider/index.js"])("stays as it is in %s", (path) => {
  expect(grown(path)).toEqual({ grown: false, kept: 500_000 });
});

it.each(["tool.js", "cmd/run/index.js", "node_modules/@pulumi/pulumi/cmd/other/index.js"])("is left alone in %s", (path) => {
  expect(grown(path)).toEqual({ grown: true, kept: 500_000 });
});
