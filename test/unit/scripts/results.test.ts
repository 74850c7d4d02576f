import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";

const root = join(__dirname, "../../..");

/** The scripts are ECMAScript modules for Node 18, so they are called as such. */
const call = (name: string, ...args: unknown[]): unknown => {
  const url = pathToFileURL(join(root, "scripts/results.mjs")).href;
  const code = `import { ${name} } from ${JSON.stringify(url)}; console.log(JSON.stringify(${name}(...${JSON.stringify(args)})))`;
  return JSON.parse(execFileSync(process.execPath, ["--input-type=module", "-e", code]).toString());
};

interface Test {
  readonly fullName: string;
  readonly status: string;
  readonly failureMessages: readonly string[];
}
const passed = (fullName: string): Test => ({ fullName, status: "passed", failureMessages: [] });
const failed = (fullName: string, ...failureMessages: string[]): Test => ({ fullName, status: "failed", failureMessages });
const file = (name: string, ...assertionResults: Test[]) => ({
  name,
  assertionResults,
  message: "Cannot find module 'x'\n    at Resolver.fail (a.js:1:2)",
  status: assertionResults.length === 0 || assertionResults.some(({ status }) => status === "failed") ? "failed" : "passed",
});
/** Report of jest if `afterAll` fails. */
const failedAfter = (name: string, ...assertionResults: Test[]) => ({ ...file(name, ...assertionResults), status: "failed" });

test("a failed file and each failed check count as a failure, and skipped tests are shown only if there are some", () => {
  const count = (...args: unknown[]) => call("summary", call("counted", ...args));
  expect(count([file("a", passed("1"), passed("2")), file("b", passed("3"))])).toBe("3 passed, 0 failed");
  expect(count([file("a", passed("1"), failed("2"), failed("3")), file("b"), failedAfter("c", passed("4"))])).toBe("2 passed, 4 failed");
  expect(count([file("a", passed("1"))], 2)).toBe("1 passed, 2 failed");
  const skipped = ["pending", "todo", "skipped", "disabled"].map((status): Test => ({ ...passed(status), status }));
  expect(count([file("a", passed("1"), ...skipped)])).toBe("1 passed, 0 failed, 4 skipped");
});

test("results of repeated files replace the first ones, also if only a hook after the tests failed", () => {
  const first = { testResults: [failedAfter("a", passed("1")), file("b"), file("c", passed("1"), failed("2")), file("d", passed("1"))] };
  const again = { testResults: [file("a", passed("1")), file("b", passed("1"), passed("2")), file("c", failed("1"), passed("2"))] };
  const files = call("last", first, again);
  expect((files as { name: string }[]).map(({ name }) => name)).toEqual(["d", "a", "b", "c"]);
  expect(call("counted", files)).toEqual({ passed: 5, failed: 1, skipped: 0 });
  expect(call("failed", files, "/")).toMatch(/^failed:\n\n\S*c: 1\n/);
  expect(call("counted", call("last", first, { testResults: [failedAfter("a", passed("1"))] }))).toEqual({ passed: 3, failed: 3, skipped: 0 });
});

describe("a run of jest that ended without results", () => {
  type Results = { testResults: ReturnType<typeof file>[] };
  const died = (...args: unknown[]) => call("resultsOf", "/r/jest, run 1", ...args) as Results;
  const complete = { testResults: [file("/r/a.test.ts", passed("1"), passed("2"))] };

  test("is one failed file, and other runs' results still count", () => {
    const other = call("resultsOf", "/r/jest, run 2", JSON.stringify(complete)) as Results;
    expect(other).toEqual(complete);
    const first = { testResults: [...died("", "ended by SIGKILL\n").testResults, ...other.testResults] };
    expect(call("disturbed", first)).toEqual([]);
    const files = call("last", first, { testResults: [] });
    expect(call("counted", files)).toEqual({ passed: 2, failed: 1, skipped: 0 });
    expect(call("failed", files, "/r")).toBe("failed:\n\njest, run 1: (the whole file)\n    jest ended without results: ended by SIGKILL\n");
  });

  test.each([
    ["no", ""],
    ["half of its", '{"testResults":[{"na'],
  ])("may have left %s file", (_, text) => {
    const [one, ...more] = died(text).testResults;
    expect([one, more]).toEqual([
      {
        name: "/r/jest, run 1",
        status: "failed",
        message: expect.stringMatching(/^jest ended without results: .*JSON/),
        assertionResults: [],
        startTime: 0,
        endTime: 0,
      },
      [],
    ]);
  });

  test("may be the run of the failed files, whose first results then count", () => {
    const first = { testResults: [file("/r/test/e2e/b.test.ts", passed("1"), failed("2", "x"))] };
    const again = died("", "ended by SIGSEGV\n");
    expect(call("counted", call("last", first, again))).toEqual({ passed: 1, failed: 2, skipped: 0 });
    expect(call("secondTime", first, again, "/r")).toBe("");
  });
});

test("the slowest files are named, and all durations are returned for the order of files", () => {
  const took = (name: string, milliseconds: number) => ({ ...file(`/home/ovn/test/${name}`), startTime: 1_000, endTime: 1_000 + milliseconds });
  const results = { testResults: [took("unit/a.test.ts", 4_900), took("e2e/b.test.ts", 139_584), took("integration/c.test.ts", 5_049)] };
  expect(call("slowest", results, "/home/ovn", 2)).toBe("the slowest files:\n  139.6 s  test/e2e/b.test.ts\n    5.0 s  test/integration/c.test.ts\n");
  expect(call("durations", results, "/home/ovn")).toEqual({ "e2e/b.test.ts": 140, "integration/c.test.ts": 5 });
  expect((call("slowest", { testResults: Array.from({ length: 12 }, (_, index) => took(`${index}`, index)) }, "/home/ovn") as string).split("\n")).toHaveLength(
    12,
  );
});

describe("repeated files", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "results-"));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
    return join(folder, path);
  };

  test("are failed ones of integration and e2e, except tests of concurrency", () => {
    const traffic = write("test/e2e/traffic.test.ts", "/** Packets. */\n// not @once\n");
    const rows = write("test/integration/rows.test.ts", "import x;\n/** @once */\n");
    const fine = write("test/e2e/fine.test.ts", "");
    const unit = write("test/unit/pure.test.ts", "");
    const writers = write("test/e2e/writers.test.ts", "/**\n * Writers at the same time.\n * @once\n */\nimport x;\n");
    const testResults = [file(traffic, failed("1")), file(rows), file(fine, passed("1")), file(unit, failed("1")), file(writers, failed("1"))];
    expect(call("disturbed", { testResults })).toEqual([traffic, rows]);
  });

  test.each(["e2e/writers", "e2e/crash", "e2e/inline-programs", "integration/rows/contributions", "integration/ovsdb-client/cluster"])(
    "%s is about concurrency",
    (name) => {
      expect(call("disturbed", { testResults: [file(join(root, "test", `${name}.test.ts`), failed("1"))] })).toEqual([]);
    },
  );
});

describe("tests that passed only the second time", () => {
  const again = (...testResults: object[]) => ({ testResults });

  test("are named with their file and their first failure, without colours and stack", () => {
    const red = "\u001b[31mexpect(received).toBe(expected)\u001b[39m\n\nExpected: 1\nReceived: 2\n    at Object.<anonymous> (a.ts:1:2)\n    at run (b.js:1:1)";
    const first = {
      testResults: [
        file("/r/test/e2e/a.test.ts", passed("is fine"), failed("loses nothing", red, "later"), failed("fails always", "x")),
        file("/r/test/e2e/once.test.ts", failed("y", "y")),
      ],
    };
    expect(call("secondTime", first, again(file("/r/test/e2e/a.test.ts", passed("is fine"), passed("loses nothing"), failed("fails always", "x"))), "/r")).toBe(
      "passed only the second time, alone:\n\ntest/e2e/a.test.ts: loses nothing\n    expect(received).toBe(expected)\n    \n    Expected: 1\n    Received: 2\n",
    );
  });

  test("may be a file that could not be run at first, and are empty if it could not be run again", () => {
    const first = { testResults: [file("/r/a.test.ts"), file("/r/b.test.ts", failed("1", "x"))] };
    expect(call("secondTime", first, again(file("/r/a.test.ts", passed("1")), file("/r/b.test.ts")), "/r")).toBe(
      "passed only the second time, alone:\n\na.test.ts: (the whole file)\n    Cannot find module 'x'\n",
    );
  });

  test("may be a check next to jest", () => {
    expect(call("secondTime", { testResults: [] }, again(), "/r", [{ title: "linter", output: "ended by SIGKILL\n" }])).toBe(
      "passed only the second time, alone:\n\nlinter\n    ended by SIGKILL\n",
    );
  });

  test("are empty if all failed again", () => {
    const first = { testResults: [file("/r/a.test.ts", failed("1", "x"))] };
    expect(call("secondTime", first, again(file("/r/a.test.ts", failed("1", "x"))), "/r")).toBe("");
  });
});

describe("failures of the last run", () => {
  test("are reported with their text, without colours and stack", () => {
    const files = [
      file("/r/test/e2e/a.test.ts", passed("1"), failed("2", "first\n    at a.ts:1:2")),
      file("/r/test/unit/b.test.ts", failed("3", "\u001b[31munit\u001b[39m")),
      failedAfter("/r/c.test.ts", passed("4")),
    ];
    expect(call("failed", files, "/r")).toBe(
      "failed:\n\ntest/e2e/a.test.ts: 2\n    first\n\ntest/unit/b.test.ts: 3\n    unit\n\nc.test.ts: (the whole file)\n    Cannot find module 'x'\n",
    );
  });

  test("may be a check next to jest, with the end of its output", () => {
    const check = { title: "linter", output: `${"x".repeat(2_000)}\nno-unused-vars\nFound 1 error.\n` };
    const report = call("failed", [], "/r", [check]) as string;
    expect(report).toMatch(/^failed:\n\nlinter\n {4}x+\n {4}no-unused-vars\n {4}Found 1 error\.\n$/);
    expect(report.length).toBeLessThan(2_100);
  });

  test("are empty if all passed", () => {
    expect(call("failed", [file("/r/c.test.ts", passed("4"))], "/r")).toBe("");
  });
});
