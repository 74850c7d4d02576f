// `npm test`: type check, then every test; the last line of output is the count.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "./bootstrap.mjs";

/** The count as one line, from jest's own results; a test file that could not be run counts as one failure, and so does the type check. */
export const summary = (results, typesFailed = false) => {
  const failed = results.numFailedTests + results.numRuntimeErrorTestSuites + (typesFailed ? 1 : 0);
  const skipped = results.numPendingTests + results.numTodoTests;
  return `${results.numPassedTests} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
};

const node = (...args) => spawnSync(process.execPath, args, { cwd: root, stdio: ["ignore", "inherit", "inherit"] }).status ?? 1;

/** Runs everything, or what jest's arguments choose; returns the exit status. */
export const test = (args) => {
  const typesFailed = node(join(root, "node_modules/typescript/bin/tsc"), "--project", "test") !== 0;
  const folder = mkdtempSync(join(tmpdir(), "pulumi-ovn-test-"));
  const output = join(folder, "results.json");
  try {
    const code = node(join(root, "node_modules/jest/bin/jest.js"), "--json", `--outputFile=${output}`, ...args);
    const results = JSON.parse(readFileSync(output, "utf8"));
    console.log(summary(results, typesFailed));
    return code !== 0 || !results.success || typesFailed ? 1 : 0;
  } catch {
    console.log("0 passed, 1 failed"); // jest ended without results
    return 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};
