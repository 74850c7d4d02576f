import { execFileSync } from "node:child_process";
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { actionlint, projectRoot, run } from "@pulumi-ovn/sandbox/testing";

jest.setTimeout(300_000);

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "ci-files-"));
  execFileSync("git", ["init", "--quiet", folder]);
  execFileSync("git", ["remote", "add", "origin", "https://gitlab.com/net/net.git"], { cwd: folder });
});
afterAll(() => rmSync(folder, { recursive: true }));

const files = join(projectRoot, "docs/ci");
const github = readdirSync(files).filter((name) => name.startsWith("github-"));
const gitlab = readdirSync(files).filter((name) => name.startsWith("gitlab-"));

/** The files run on runners with a label of their own. */
const LABELS = "self-hosted-runner:\n  labels: [site]\n";

async function githubFaults(...paths: string[]): Promise<string[]> {
  const configuration = join(folder, "actionlint.yaml");
  writeFileSync(configuration, LABELS);
  const { stdout } = await run({ file: await actionlint(() => undefined), args: ["-config-file", configuration, "-oneline", "-no-color", ...paths] });
  return stdout.split("\n").flatMap((line) => /\[([\w-]+)\]$/.exec(line)?.[1] ?? []);
}

it("has workflows for GitHub without faults: syntax, expressions, inputs and versions of actions", async () => {
  expect(github).toEqual(["github-apply.yml", "github-drift.yml", "github-preview.yml"]);
  expect(await githubFaults(...github.map((name) => join(files, name)))).toEqual([]);

  const broken = join(folder, "broken.yml");
  const text = readFileSync(join(files, "github-preview.yml"), "utf8");
  writeFileSync(broken, text.replace(/actions\/checkout@v\d+/, "actions/checkout@v2").replace("runs-on:", "run-on:"));
  expect((await githubFaults(broken)).sort()).toEqual(["action", "syntax-check", "syntax-check"]);
});

async function gitlabListing(): Promise<{ code: number | null; output: string }> {
  const args = [join(projectRoot, "node_modules/.bin/gitlab-ci-local"), "--list-csv"];
  const { code, stdout, stderr } = await run({ file: process.execPath, args }, { cwd: folder });
  return { code, output: `${stdout}${stderr}` };
}

it("has pipelines for GitLab that its schema accepts", async () => {
  expect(gitlab).toEqual(["gitlab-apply.yml", "gitlab-ci.yml"]);
  const pipeline = join(folder, ".gitlab-ci.yml");
  for (const name of gitlab) {
    copyFileSync(join(files, name), pipeline);
    expect(await gitlabListing()).toMatchObject({ code: 0 });
  }
  writeFileSync(pipeline, readFileSync(pipeline, "utf8").replace(/^( +)script:/m, "$1scripts:"));
  expect(await gitlabListing()).toMatchObject({ code: 1 });
});
