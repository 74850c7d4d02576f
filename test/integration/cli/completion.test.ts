import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { type Shells, shells } from "@pulumi-ovn/sandbox/testing";
import { commandLine } from "../../support/command-line";

jest.setTimeout(120_000);

const exec = promisify(execFile);

let folder: string;
let programs: Shells;
beforeAll(async () => {
  programs = await shells();
  folder = mkdtempSync(join(tmpdir(), "completion-"));
  mkdirSync(join(folder, "folder"));
  for (const name of ["Pulumi.yaml", "Pulumi.prod.yaml", "Pulumi.test.yaml"]) writeFileSync(join(folder, name), "");
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Lines, and completions of their last word by name. */
const CASES: readonly (readonly [line: string, expected: readonly string[]])[] = [
  ["e", ["egress"]],
  ["t", ["targets", "trace"]],
  ["egress dr", ["drain"]],
  ["egress drain dr", []],
  ["egress --dr", ["--dry-run"]],
  ["egress drain node1 --s", ["--skip", "--stack"]],
  ["doctor --stack ", ["prod", "test"]],
  ["diff --stack status --wat", []],
  ["diff --stack status --exi", ["--exit-code"]],
  ["upgrade --remains ", ["drop", "keep"]],
  ["picture --view p", ["policy"]],
  ["trace --from ", []],
  ["apply --cwd f", ["folder"]],
  ["diff Pulumi.p", ["Pulumi.prod.yaml"]],
  ["completion ", ["bash", "fish", "zsh"]],
];
const LINES = CASES.map(([line]) => `pulumi-ovn ${line}`);

const run = async (program: string, args: readonly string[]): Promise<string> =>
  (await exec(program, [...args], { cwd: folder, env: { PATH: process.env["PATH"], HOME: folder, TERM: "dumb", LANG: "C", ...programs.env } })).stdout;

/** Completions of each line, which follow a line with a separator. Only fish shows the slash of a folder. */
const answers = (stdout: string) =>
  stdout
    .split("@@@@\n")
    .slice(1)
    .map((block) => [...new Set(block.split("\n").flatMap((name) => name.replace(/\/$/, "") || []))].sort());

it("fish completes commands, options, values, files and folders", async () => {
  const script = `${(await commandLine("completion", "fish")).stdout}\nfor line in $argv; echo @@@@; complete -C $line | string replace -r '\\t.*' ''; end; true\n`;
  const found = answers(await run(programs.fish, ["--no-config", "-c", script, ...LINES]));
  expect(found.map((each, index) => [CASES[index]![0], each])).toEqual(CASES);
});

/** An interactive zsh that writes what it would offer into a file, instead of showing it. */
const INNER = `
autoload -Uz compinit; compinit -u -D
source ./script
compadd() {
  local -a hits
  local end=\${argv[(i)(-|--)]}
  if (( ! \${argv[1,end-1][(I)-[OAD]*]} )); then
    builtin compadd -O hits "$@"
    offered+=($hits)
  fi
  builtin compadd "$@"
}
capture() { offered=(); _main_complete; print -rl -- $offered > ./part; mv ./part ./answer }
zle -C capture complete-word capture
bindkey '^I' capture
`;
/** Types each line and a tab into that zsh. */
const OUTER = `
zmodload zsh/zpty
zpty inner ZSH -f -i
zpty -w inner 'source ./inner'
for line in "$@"; do
  rm -f ./answer
  zpty -n -w inner $'\\C-U'"$line"$'\\t'
  repeat 600; do
    [[ -e ./answer ]] && break
    while zpty -r -t inner text; do :; done
    sleep 0.05
  done
  print @@@@
  cat ./answer
done
zpty -d inner
`;

it("zsh completes commands, options, values, files and folders", async () => {
  writeFileSync(join(folder, "script"), (await commandLine("completion", "zsh")).stdout);
  writeFileSync(join(folder, "inner"), `${programs.zshSetup}\n${INNER}`);
  writeFileSync(join(folder, "outer"), `${programs.zshSetup}\n${OUTER.replace("ZSH", programs.zsh)}`);
  const found = answers(await run(programs.zsh, ["-f", "outer", ...LINES]));
  expect(found.map((each, index) => [CASES[index]![0], each])).toEqual(CASES);
});
