// `npm test`: every test, and beside them type check and linter; the last line of output is the count.
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "./bootstrap.mjs";
import { disturbed, durations, merged, secondTime, slowest, summary } from "./results.mjs";

/** Runs a program to its end; resolves to whether it succeeded. */
const run = (file, args, stdio = ["ignore", "inherit", "inherit"]) =>
  new Promise((resolve) => {
    const child = spawn(file, args, { cwd: root, stdio });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk) => (output += chunk));
    child.once("error", (error) => (output += `${error.stack}\n`)); // "close" follows
    child.once("close", (code) => {
      process.stdout.write(output);
      resolve(code === 0);
    });
  });

/** Of the lowest priority, so that tests that count packets notice nothing of it; what it says comes in one piece. */
const beside = (...args) => run("nice", ["-n", "19", process.execPath, ...args], ["ignore", "pipe", "pipe"]);

/** What is checked beside jest. To have the format checked, too: `() => beside(join(root, "node_modules/@biomejs/biome/bin/biome"), "format"),` */
const checks = [
  () => beside(join(root, "node_modules/typescript/bin/tsc"), "--project", "test"),
  () => beside(join(root, "node_modules/oxlint/bin/oxlint"), "--type-aware", "--deny-warnings"),
];

/** How many checks failed; one after the other, for each of them takes a lot of memory. */
const failures = async () => {
  let failed = 0;
  for (const check of checks) if (!(await check())) failed++;
  return failed;
};

/** Runs everything, or what jest's arguments choose; returns the exit status. */
export const test = async (args) => {
  const checking = failures();
  const folder = mkdtempSync(join(tmpdir(), "pulumi-ovn-test-"));
  const jest = async (name, ...more) => {
    const output = join(folder, name);
    await run(process.execPath, [join(root, "node_modules/jest/bin/jest.js"), "--json", `--outputFile=${output}`, ...more]);
    return JSON.parse(readFileSync(output, "utf8"));
  };
  try {
    let results = await jest("results.json", ...args);
    const failedChecks = await checking;
    const times = slowest(results, root);
    if (process.env.UPDATE_DURATIONS) writeFileSync(join(root, "test/support/durations.json"), `${JSON.stringify(durations(results, root), undefined, 2)}\n`);
    const names = disturbed(results);
    if (names.length > 0) {
      console.log(`\n${names.length} files failed beside others; once more, alone: this counts`);
      // A test that fails half way may leave a timer behind, and this process has no worker to end.
      const again = await jest("again.json", "--runInBand", "--forceExit", "--runTestsByPath", ...names);
      console.log(`\n${secondTime(results, again, root)}`);
      results = merged(results, again, names);
    }
    console.log(`\n${times}`);
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
