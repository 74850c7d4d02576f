// `npm test`: all tests, type check and linter; the last line of output is the count.
import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "./bootstrap.mjs";
import { EVERYTHING } from "./everything.mjs";
import { counted, disturbed, durations, failed, last, resultsOf, secondTime, slowest, summary } from "./results.mjs";

/** Runs a program to its end. Returns whether it succeeded, and its output if it was captured. */
const run = (file, args, stdio = ["ignore", "inherit", "inherit"]) =>
  new Promise((resolve) => {
    const child = spawn(file, args, { cwd: root, stdio });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk) => (output += chunk));
    child.once("error", (error) => (output += `${error.stack}\n`)); // "close" follows
    child.once("close", (code, signal) => {
      if (signal !== null) output += `ended by ${signal}\n`;
      process.stdout.write(output);
      resolve({ done: code === 0, output });
    });
  });

/** Runs with the lowest priority, so that tests that count packets are not disturbed; its output is printed in one piece. */
const beside = (program, ...args) => run("nice", ["-n", "19", process.execPath, join(root, "node_modules", program), ...args], ["ignore", "pipe", "pipe"]);
const linter = (...args) => beside("oxlint/bin/oxlint", "--type-aware", "--deny-warnings", ...args);

/** They know the packages as users do, by what is compiled. */
const USERS = ["examples", "templates"];

/** Checks that need no compilation. */
const sources = [
  { title: "format (`npm run format` mends it)", check: () => beside("@biomejs/biome/bin/biome", "format") },
  { title: "linter", check: () => linter(...USERS.map((folder) => `--ignore-pattern=/${folder}/**`)) },
];

/** Checks other than jest. Tests are not published, so the native compiler may check their types (docs/explanation/decisions/two-compilers.md). */
const compiled = [
  { title: "type check", check: () => beside("@typescript/native-preview/bin/tsgo", "--project", "test", "--singleThreaded") },
  { title: "type check of the examples", check: () => beside("typescript/bin/tsc", "--project", "examples") },
  { title: "linter of the examples", check: () => linter(...USERS) },
];

/** The checks of these that fail, with what they say; one after the other, for each of them takes a lot of memory. */
const failing = async (chosen) => {
  const found = [];
  for (const { title, check } of chosen) {
    const { done, output } = await check();
    if (!done) found.push({ title, check, output });
  }
  return found;
};

/** Begins what can be checked before the packages are compiled: the compiler leaves one of two processors idle. */
export const checkSources = () => failing(sources);

/** The results of a run of no tests. */
const NOTHING = { testResults: [] };

/**
 * Runs everything, or the tests that jest's arguments select. Returns the exit status.
 * @param sources running result of `checkSources`
 */
export const test = async (args, sources) => {
  const checking = sources.then(async (found) => [...found, ...(await failing(compiled))]);
  const folder = mkdtempSync(join(tmpdir(), "pulumi-ovn-test-"));
  const jest = async (name, ...more) => {
    const file = join(folder, `${name}.json`);
    const { output } = await run(process.execPath, [join(root, "node_modules/jest/bin/jest.js"), "--json", `--outputFile=${file}`, ...more]);
    return resultsOf(join(root, `jest, ${name}`), existsSync(file) ? readFileSync(file, "utf8") : "", output);
  };
  try {
    if (args.length === 0) await createRequire(import.meta.url)(join(root, "sandbox/dist/commands/tools.js")).prepareTools();
    const runs = [];
    for (const [index, chosen] of (args.length > 0 ? [args] : EVERYTHING).entries()) runs.push(await jest(`run ${index + 1}`, ...chosen));
    const first = { testResults: runs.flatMap(({ testResults }) => testResults) };
    const disturbedChecks = await checking;
    if (process.env.UPDATE_DURATIONS) writeFileSync(join(root, "test/support/durations.json"), `${JSON.stringify(durations(first, root), undefined, 2)}\n`);
    const names = disturbed(first);
    if (names.length > 0) console.log(`\n${names.length} files failed beside others; once more, alone: this counts`);
    // A test that fails half way may leave a timer behind, and this process has no worker to end.
    const again = names.length > 0 ? await jest("once more", "--runInBand", "--forceExit", "--runTestsByPath", ...names) : NOTHING;
    const files = last(first, again);
    const failedChecks = await failing(disturbedChecks);
    const passedThen = disturbedChecks.filter(({ title }) => !failedChecks.some((check) => check.title === title));
    const texts = [slowest(first, root), secondTime(first, again, root, passedThen), failed(files, root, failedChecks)];
    console.log(`\n${texts.filter((text) => text !== "").join("\n")}`);
    const count = counted(files, failedChecks.length);
    console.log(summary(count));
    return count.failed > 0 ? 1 : 0;
  } catch (error) {
    await checking; // its output precedes the count
    console.error(`the results could not be counted: ${error.stack}`);
    console.log("0 passed, 1 failed");
    return 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};
