// Evaluates jest's results: counts, files that may run once more, tests that passed only then.
import { readFileSync } from "node:fs";
import { join, relative } from "node:path";

/**
 * The results of one run of jest; where it has ended without them, those of one file that failed instead, so that other runs count.
 * @param text what jest has written; empty where it has written nothing
 * @param why how the run ended, where that is known
 */
export const resultsOf = (run, text, why = "") => {
  try {
    return JSON.parse(text);
  } catch (error) {
    const message = `jest ended without results: ${why.trim() || error.message}`;
    return { testResults: [{ name: run, status: "failed", message, assertionResults: [], startTime: 0, endTime: 0 }] };
  }
};

/** Files about concurrency say `@once` in their first comment: a failure by chance is what they look for. */
const runsOnce = (file) => /^\/\*\*(?:(?!\*\/)[^])*@once\b/.test(readFileSync(file, "utf8"));

/** Failed files that other tests can disturb: those with packets, processes and clocks. */
export const disturbed = ({ testResults }) =>
  testResults.filter(({ name, status }) => status === "failed" && /\/test\/(e2e|integration)\//.test(name) && !runsOnce(name)).map(({ name }) => name);

/** The results of all files; of those that ran once more, what came then. */
export const last = (first, again) => {
  const ran = new Set(again.testResults.map(({ name }) => name));
  return [...first.testResults.filter(({ name }) => !ran.has(name)), ...again.testResults];
};

/** Seconds of each file, the slowest first. */
const seconds = ({ testResults }) => testResults.map(({ name, startTime, endTime }) => [name, (endTime - startTime) / 1_000]).sort(([, a], [, b]) => b - a);

/** How long the slowest files took, as text for people. */
export const slowest = (results, root, count = 10) => {
  const lines = seconds(results)
    .slice(0, count)
    .map(([name, took]) => `${took.toFixed(1).padStart(7)} s  ${relative(root, name)}`);
  return `the slowest files:\n${lines.join("\n")}\n`;
};

/** Seconds below which it does not matter when a file begins. */
const SHORT = 5;

/** Contents of test/support/durations.json. */
export const durations = (results, root) =>
  Object.fromEntries(
    seconds(results)
      .filter(([, took]) => took >= SHORT)
      .map(([name, took]) => [relative(join(root, "test"), name), Math.round(took)]),
  );

/** Text of a failure, without colors and stack. */
const message = (text = "") =>
  text
    .replaceAll(/\u001b\[[\d;]*m/g, "")
    .split(/\n\s+at /)[0]
    .trim();

/** Characters kept from the end of a failed check's output. */
const END = 2_000;

const WHOLE = "(the whole file)";

/** A file's failures by the test's name; a file that could not be run has one, of its own. */
const failures = ({ assertionResults, status, message: whole }) => {
  const failed = assertionResults.filter((test) => test.status === "failed").map(({ fullName, failureMessages }) => [fullName, message(failureMessages[0])]);
  return status === "failed" && failed.length === 0 ? [[WHOLE, message(whole)]] : failed;
};

/** Numbers of passed, failed and skipped tests. A file that fails outside its tests counts as one failure, as does each failed check. */
export const counted = (files, failedChecks = 0) => {
  const statuses = files.flatMap(({ assertionResults }) => assertionResults.map(({ status }) => status));
  const passed = statuses.filter((status) => status === "passed").length;
  const skipped = statuses.filter((status) => status !== "passed" && status !== "failed").length;
  return { passed, failed: files.flatMap(failures).length + failedChecks, skipped };
};

/** The count as one line. */
export const summary = ({ passed, failed, skipped }) => `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;

const told = (title, lines) =>
  lines.length === 0 ? "" : `${title}:\n\n${lines.map(([what, why]) => `${what}\n${why.replaceAll(/^/gm, "    ")}`).join("\n\n")}\n`;

/** Other checks, with the end of their output. */
const said = (checks) => checks.map(({ title, output }) => [title, message(output.slice(-END))]);

/** Text about tests and checks that failed at first, each with its first failure. */
export const secondTime = (first, again, root, checks = []) => {
  const still = (file) =>
    new Set(
      again.testResults
        .filter(({ name }) => name === file)
        .flatMap(failures)
        .map(([test]) => test),
    );
  const ran = new Set(again.testResults.map(({ name }) => name));
  const tests = first.testResults
    .filter(({ name }) => ran.has(name))
    .flatMap((file) =>
      failures(file)
        .filter(([test]) => !still(file.name).has(test) && !still(file.name).has(WHOLE))
        .map(([test, why]) => [`${relative(root, file.name)}: ${test}`, why]),
    );
  return told("passed only the second time, alone", [...tests, ...said(checks)]);
};

/** Text about tests and checks that failed in the end, with their failures. */
export const failed = (files, root, checks = []) => {
  const tests = files.flatMap((file) => failures(file).map(([test, why]) => [`${relative(root, file.name)}: ${test}`, why]));
  return told("failed", [...tests, ...said(checks)]);
};
