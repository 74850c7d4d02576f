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

/** Files with packets, processes and clocks, which other tests beside them can disturb. */
const disturbed = ({ testResults }) => testResults.filter(({ name, status }) => status === "failed" && /\/test\/(e2e|integration)\//.test(name)).map(({ name }) => name);

const count = (results, names, status) =>
  results.testResults.filter(({ name }) => names.includes(name)).flatMap(({ assertionResults }) => assertionResults).filter((test) => test.status === status).length;

/** The results of all files, with those of some of them replaced by what came when they ran alone. */
export const merged = (first, again, names) => {
  const broken = first.testResults.filter(({ name, status, assertionResults }) => names.includes(name) && status === "failed" && assertionResults.length === 0).length;
  return {
    numPassedTests: first.numPassedTests - count(first, names, "passed") + again.numPassedTests,
    numFailedTests: first.numFailedTests - count(first, names, "failed") + again.numFailedTests,
    numPendingTests: first.numPendingTests - count(first, names, "pending") + again.numPendingTests,
    numTodoTests: first.numTodoTests - count(first, names, "todo") + again.numTodoTests,
    numRuntimeErrorTestSuites: first.numRuntimeErrorTestSuites - broken + again.numRuntimeErrorTestSuites,
  };
};

/** Runs everything, or what jest's arguments choose; returns the exit status. */
export const test = (args) => {
  const typesFailed = node(join(root, "node_modules/typescript/bin/tsc"), "--project", "test") !== 0;
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
      results = merged(results, run("again.json", "--runInBand", "--runTestsByPath", ...names), names);
    }
    console.log(summary(results, typesFailed));
    return typesFailed || results.numFailedTests + results.numRuntimeErrorTestSuites > 0 ? 1 : 0;
  } catch {
    console.log("0 passed, 1 failed"); // jest ended without results
    return 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};
