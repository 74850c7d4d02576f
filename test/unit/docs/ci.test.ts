import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseAllDocuments } from "yaml";
import { applyCommand, driftCommand, options, readDiffOptions as readOptions } from "@pulumi-ovn/cli/testing";

const readDriftOptions = (args: readonly string[]) => options(args, driftCommand.options);
const folder = join(__dirname, "../../../docs/ci");
const page = readFileSync(join(__dirname, "../../../docs/how-to/ci.md"), "utf8");
const text = (file: string) => readFileSync(join(folder, file), "utf8");
const documents = (file: string) =>
  parseAllDocuments(text(file)).map((document) => ({ errors: document.errors, value: document.toJS() as Record<string, any> }));

it("has files to copy that are YAML, and that the page names", () => {
  const files = readdirSync(folder).sort();
  expect(files).toEqual(["github-apply.yml", "github-drift.yml", "github-preview.yml", "gitlab-apply.yml", "gitlab-ci.yml", "operator-stack.yaml"]);
  for (const file of files) {
    expect(documents(file).flatMap(({ errors }) => errors)).toEqual([]);
    expect(page).toContain(`(../ci/${file})`);
  }
});

it("uses options of the commands that there are", () => {
  for (const file of ["github-drift.yml", "gitlab-ci.yml"]) {
    const [, args] = /npx --no-install pulumi-ovn drift ([^|\n]*)/.exec(text(file))!;
    expect(readDriftOptions(args!.trim().split(" "))).toMatchObject({ stack: "prod" });
  }
  for (const file of ["github-apply.yml", "gitlab-apply.yml"]) {
    const argumentsOf = (command: string) => new RegExp(`npx --no-install pulumi-ovn ${command} ([^|>\\n]*)`).exec(text(file))![1]!.trim().split(" ");
    expect(readOptions(argumentsOf("diff"))).toMatchObject({ stack: "prod", save: "plan.json" });
    expect(options(argumentsOf("apply"), applyCommand.options)).toMatchObject({ plan: "plan.json", "revert-in": "900", "no-auto-confirm": true });
    // GitHub's expression has spaces.
    for (const command of ["confirm", "cancel"]) expect(argumentsOf(command).slice(-2)).toEqual(["--stack", "prod"]);
  }
  for (const file of ["github-preview.yml", "gitlab-ci.yml"]) {
    const [, args] = /npx --no-install pulumi-ovn diff ([^>]*)>/.exec(text(file))!;
    expect(readOptions(args!.trim().split(" "))).toMatchObject({ stack: "prod", format: "markdown", maxBytes: 60_000 });
  }
});

it("has commands only in GitLab's scripts, and fails where the preview does", () => {
  const { value } = documents("gitlab-ci.yml")[0]!;
  for (const lines of [value[".pulumi"].before_script, value.preview.script, value.up.script, value.drift.script] as unknown[][])
    for (const line of lines) expect(typeof line).toBe("string");
  expect(value.preview.script.at(-1)).toBe("exit $code");
});

it("confirms on GitLab what has passed the checks, undoes the rest, and applies only after a click", () => {
  const { plan, apply, confirm } = documents("gitlab-apply.yml")[0]!.value;
  expect([plan.stage, apply.stage, confirm.stage]).toEqual(["plan", "apply", "confirm"]);
  expect([plan.artifacts.paths, apply.artifacts.paths, apply.artifacts.reports]).toEqual([["plan.json", "diff.md"], [".pulumi-ovn"], { dotenv: "apply.env" }]);
  expect(apply.rules.at(-1)).toMatchObject({ when: "manual", allow_failure: false });
  const folder = mkdtempSync(join(tmpdir(), "gitlab-"));
  try {
    // Replaces the commands: the script is run, not the network.
    writeFileSync(
      join(folder, "npx"),
      '#!/bin/sh\necho "$@" >> called\ncase "$*" in *" apply "*) echo "apply 0a1b2c3d: undone at TIME unless it is confirmed" ;; esac\n',
      { mode: 0o755 },
    );
    const run = (script: readonly string[], id = "") =>
      spawnSync("bash", ["-ec", script.join("\n")], { cwd: folder, env: { PATH: `${folder}:${process.env.PATH}`, APPLY_ID: id } }).status;
    const checks = (code: number) => writeFileSync(join(folder, "checks.sh"), `#!/bin/sh\nexit ${code}\n`, { mode: 0o755 });
    expect(run(apply.script)).toBe(0);
    expect(readFileSync(join(folder, "apply.env"), "utf8")).toBe("APPLY_ID=0a1b2c3d\n");
    checks(0);
    expect([run(confirm.script), run(confirm.script, "0a1b2c3d")]).toEqual([0, 0]);
    checks(1);
    expect(run(confirm.script, "0a1b2c3d")).toBe(1);
    expect(readFileSync(join(folder, "called"), "utf8").trim().split("\n").slice(1)).toEqual([
      "--no-install pulumi-ovn confirm 0a1b2c3d --stack prod",
      "--no-install pulumi-ovn cancel 0a1b2c3d --stack prod",
    ]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
