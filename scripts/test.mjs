// `npm test`: type check and linter, then every test; the last line of output is the count.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "./bootstrap.mjs";
import { disturbed, merged, secondTime, summary } from "./results.mjs";

const node = (...args) => spawnSync(process.execPath, args, { cwd: root, stdio: ["ignore", "inherit", "inherit"] }).status ?? 1;

/** What is checked beside jest. To have the format checked, too: `() => node(join(root, "node_modules/@biomejs/biome/bin/biome"), "format"),` */
const checks = [
  () => node(join(root, "node_modules/typescript/bin/tsc"), "--project", "test"),
  () => node(join(root, "node_modules/oxlint/bin/oxlint"), "--type-aware", "--deny-warnings"),
];

/** Runs everything, or what jest's arguments choose; returns the exit status. */
export const test = (args) => {
  const failedChecks = checks.filter((check) => check() !== 0).length;
  const folder = mkdtempSync(join(tmpdir(), "pulumi-ovn-test-"));
  const run = (name, ...more) => {
    const output = join(folder, name);
    node(join(root, "node_modules/jest/bin/jest.js"), "--json", `--outputFile=${output}`, ...more);
    return JSON.parse(readFileSync(output, "utf8"));
  };
  try {
    let results = run("results.json", ...args);
    const names = disturbed(results);
    if (names.length > 0) {
      console.log(`\n${names.length} files failed beside others; once more, alone: this counts`);
      // A test that fails half way may leave a timer behind, and this process has no worker to end.
      const again = run("again.json", "--runInBand", "--forceExit", "--runTestsByPath", ...names);
      console.log(`\n${secondTime(results, again, root)}`);
      results = merged(results, again, names);
    }
    console.log(summary(results, failedChecks));
    return failedChecks > 0 || results.numFailedTests + results.numRuntimeErrorTestSuites > 0 ? 1 : 0;
  } catch (error) {
    console.error(`jest ended without results: ${error.stack}`);
    console.log("0 passed, 1 failed");
    return 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};
