import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { readDiffOptions as readOptions } from "@pulumi-ovn/cli/testing";
import { commandLine, usageErrorOutput } from "../../../support/command-line";

const CHANGE = JSON.stringify({ steps: [{ op: "create", urn: "urn:pulumi:dev::trial::t::a", newState: { type: "t" } }] });
const NOTHING = JSON.stringify({ steps: [{ op: "same", urn: "urn:pulumi:dev::trial::t::a" }] });
const FAILED = JSON.stringify({ steps: [{ op: "same", urn: "urn:pulumi:dev::trial::t::a" }], diagnostics: [{ severity: "error", message: "error: boom" }] });

const { PATH } = process.env;
let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), "diff-"))));
afterEach(() => {
  process.env.PATH = PATH;
  rmSync(folder, { recursive: true, force: true });
});

function file(text: string): string {
  const path = join(folder, "preview.json");
  writeFileSync(path, text);
  return path;
}

/** A CLI that prints a preview, and writes down how it was called. */
function pulumi(script: string): void {
  const path = join(folder, "pulumi");
  writeFileSync(path, `#!/bin/sh\nprintf '%s\\n' "$PWD" "$*" "stream=$PULUMI_ENABLE_STREAMING_JSON_PREVIEW" >'${folder}/called'\n${script}\n`);
  chmodSync(path, 0o755);
  process.env.PATH = `${folder}${delimiter}${PATH}`;
}
const called = () => readFileSync(join(folder, "called"), "utf8").trimEnd().split("\n");

describe("options", () => {
  it("have defaults", () => {
    expect(readOptions([])).toEqual({
      file: undefined,
      format: "text",
      maxBytes: 60_000,
      exitCode: false,
      picture: false,
      stack: undefined,
      cwd: undefined,
      further: [],
      intents: false,
      simulate: false,
    });
    expect([
      readOptions(["--json"]).maxBytes,
      readOptions(["--json", "--max-bytes", "5000"]).maxBytes,
      readOptions(["--markdown", "--max-bytes=0"]).maxBytes,
    ]).toEqual([0, 5_000, 0]);
  });

  it("are read; further ones are for the preview", () => {
    expect(readOptions(["-", "--markdown", "--exit-code"])).toMatchObject({ file: "-", format: "markdown", exitCode: true });
    expect(readOptions(["--stack", "prod", "--cwd", "..", "--", "--refresh", "--stack", "y", "--"])).toMatchObject({
      file: undefined,
      stack: "prod",
      cwd: "..",
      further: ["--refresh", "--stack", "y", "--"],
    });
  });
});

it.each([
  [["--markdown", "--json"], "--markdown or --json, not both"],
  [["a", "b"], 'one FILE only; got "a" and "b"'],
  [["a", "--stack", "dev"], "--stack: for a preview that is run, not for one that FILE holds"],
  [["-", "--cwd", ".", "--", "--refresh"], "--cwd, -- ARGUMENTS: for a preview that is run, not for one that FILE holds"],
  [["--max-bytes", "1999"], "--max-bytes 1999: expected a number of bytes, 2000 or more, or 0 for no limit"],
  [["--max-bytes", "1e5"], "--max-bytes 1e5: expected a number of bytes, 2000 or more, or 0 for no limit"],
  [["--max-bytes=-1"], "--max-bytes -1: expected a number of bytes, 2000 or more, or 0 for no limit"],
  [["--markdwn"], 'there is no option "--markdwn"; did you mean "--markdown"?'],
])("refuses %j, with another exit code than that of changes on request", async (args, message) => {
  const output = { stdout: usageErrorOutput(args, message), stderr: `pulumi-ovn diff: OVN_USAGE: ${message}\n` };
  expect(await commandLine("diff", ...args)).toEqual({ code: 2, ...output });
  expect(await commandLine("diff", "--exit-code", ...args)).toEqual({ code: 1, ...output });
});

describe("a preview from a file", () => {
  it("is shown in each format", async () => {
    const path = file(CHANGE);
    const shown = async (...args: string[]) => (await commandLine("diff", path, ...args)).stdout;
    expect(await shown()).toBe("trial/dev: 1 other resource\n\n+ t a created\n");
    expect(await shown("--markdown")).toBe("### `trial/dev`: 1 other resource\n\n- `t a created`\n");
    expect(JSON.parse(await shown("--json"))).toMatchObject({ version: 1, others: [{ operation: "create", name: "a" }] });
  });

  it("reports a change by the exit code, on request", async () => {
    const codeOf = async (text: string, ...args: string[]) => (await commandLine("diff", file(text), ...args)).code;
    expect([await codeOf(CHANGE), await codeOf(CHANGE, "--exit-code"), await codeOf(NOTHING, "--exit-code"), await codeOf(FAILED, "--exit-code")]).toEqual([
      0, 2, 0, 1,
    ]);
  });

  it("respects the limit", async () => {
    const { stdout } = await commandLine(
      "diff",
      file(JSON.stringify({ diagnostics: [{ severity: "warning", message: "é".repeat(9_000) }] })),
      "--max-bytes",
      "2000",
    );
    expect(Buffer.byteLength(stdout)).toBeLessThanOrEqual(2_000);
    expect(stdout).toContain("Left out, to stay within 2000 bytes: 1 message, in whole or in part.");
  });

  it("is shown if it failed, with a non-zero exit code", async () => {
    expect(await commandLine("diff", file(FAILED))).toEqual({
      code: 1,
      stdout: "trial/dev: nothing was compared\nThe preview failed: what it shows is not the whole change.\nerror: boom\n",
      stderr: "pulumi-ovn diff: OVN_PREVIEW_FAILED: the preview has errors; what it shows is not the whole change\n",
    });
  });

  it("is refused if it is invalid or missing", async () => {
    const path = file('{"steps": [');
    expect(await commandLine("diff", path)).toEqual({
      code: 1,
      stdout: "",
      stderr: `pulumi-ovn diff: OVN_PREVIEW: ${path} is not complete: it ends in the middle of the JSON text\n`,
    });
    const { code, stderr } = await commandLine("diff", join(folder, "none"));
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^pulumi-ovn diff: OVN_PREVIEW: can't read .*none: ENOENT/)]);
  });
});

describe("a preview that the command runs", () => {
  it("receives the stack, the folder and the further arguments, and results in one document", async () => {
    process.env.PULUMI_ENABLE_STREAMING_JSON_PREVIEW = "true";
    try {
      pulumi(`printf '%s' '${CHANGE}'; echo "a warning of the CLI" >&2`);
      expect(await commandLine("diff", "--stack", "prod", "--cwd", folder, "--", "--refresh", "--target", "a b")).toEqual({
        code: 0,
        stdout: "trial/dev: 1 other resource\n\n+ t a created\n",
        stderr: "a warning of the CLI\n",
      });
      expect(called()).toEqual([folder, "preview --json --show-sames --non-interactive --stack prod --refresh --target a b", "stream="]);
    } finally {
      delete process.env.PULUMI_ENABLE_STREAMING_JSON_PREVIEW;
    }
    await commandLine("diff");
    expect(called().slice(0, 2)).toEqual([process.cwd(), "preview --json --show-sames --non-interactive"]);
  });

  it("is shown up to its failure, also without an error in it, with a non-zero exit code", async () => {
    pulumi(`printf '%s' '${CHANGE}'; exit 255`);
    const { code, stdout, stderr } = await commandLine("diff", "--exit-code");
    expect([code, stdout, stderr]).toEqual([
      1,
      "trial/dev: 1 other resource\nThe preview failed: what it shows is not the whole change.\n\n+ t a created\n",
      "pulumi-ovn diff: OVN_PREVIEW_FAILED: the preview has errors; what it shows is not the whole change\n",
    ]);
  });

  it("is reported by its own error if it prints nothing", async () => {
    pulumi(`echo "error: no stack named 'x' found" >&2; exit 6`);
    expect(await commandLine("diff")).toEqual({
      code: 1,
      stdout: "",
      stderr: "error: no stack named 'x' found\npulumi-ovn diff: OVN_PREVIEW_FAILED: pulumi preview ended with exit code 6; its output is above\n",
    });
    pulumi("kill -9 $$");
    expect((await commandLine("diff")).stderr).toBe("pulumi-ovn diff: OVN_PREVIEW_FAILED: pulumi preview ended with a signal\n");
    pulumi("exit 0");
    expect((await commandLine("diff")).stderr).toBe("pulumi-ovn diff: OVN_PREVIEW: the preview is empty; did the preview fail?\n");
  });
});
