import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { commandLine } from "../../support/command-line";

let folder: string;
let script: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "ovn-completion-"));
  script = (await commandLine("completion", "bash")).stdout;
  for (const name of ["Pulumi.yaml", "Pulumi.prod.yaml", "Pulumi.test.yaml", "Pulumi.$(touch run).yaml"]) writeFileSync(join(folder, name), "");
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Completions that bash offers for the last word of a line. */
async function offered(...words: string[]): Promise<string[]> {
  const line = ["pulumi-ovn", ...words].map((word) => `'${word}'`).join(" ");
  const ask = `${script}\n[[ $(complete -p pulumi-ovn) == *_pulumi_ovn* ]] || exit 1\nCOMP_WORDS=(${line}); COMP_CWORD=${words.length}; _pulumi_ovn; printf '%s\\n' "\${COMPREPLY[@]}"`;
  // Outside of a completion bash has no options of one to change.
  const { stdout } = await promisify(execFile)("bash", ["--norc", "-c", ask], { cwd: folder });
  return stdout.trim().split("\n");
}

it.each<[string[], string[]]>([
  [["e"], ["egress"]],
  [["t"], ["targets", "trace"]],
  [["egress", "dr"], ["drain"]],
  [["egress", "--dr"], ["--dry-run"]],
  [
    ["egress", "drain", "node1", "--s"],
    ["--skip", "--stack"],
  ],
  [
    ["doctor", "--stack", ""],
    ["prod", "test"],
  ],
  [
    ["upgrade", "--remains", ""],
    ["keep", "drop"],
  ],
  [["trace", "--from", ""], [""]],
  [["diff", "Pulumi.p"], ["Pulumi.prod.yaml"]],
  [
    ["completion", ""],
    ["bash", "zsh", "fish"],
  ],
])("bash completes %j", async (words, expected) => {
  expect(await offered(...words)).toEqual(expected);
  expect(existsSync(join(folder, "run"))).toBe(false);
});

it.each(["zsh", "fish"])("the script for %s has every command and option", async (shell) => {
  const { code, stdout } = await commandLine("completion", shell);
  expect(code).toBe(0);
  for (const line of (await commandLine("--help")).stdout.matchAll(/^ {2}(\w+) +\w/gm)) {
    const usage = (await commandLine(line[1]!, "--help")).stdout;
    for (const [, option] of usage.matchAll(/^ {2}--([a-z-]+)/gm)) expect(stdout).toContain(shell === "zsh" ? `--${option!}[` : `-l ${option!} `);
  }
});
