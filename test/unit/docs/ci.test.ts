import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseAllDocuments } from "yaml";
import { applyCommand } from "../../../cli/apply/command";
import { options } from "../../../cli/command";
import { driftCommand } from "../../../cli/drift/command";
import { readOptions } from "../../../cli/diff/options";

const readDriftOptions = (args: readonly string[]) => options(args, driftCommand.options);
const folder = join(__dirname, "../../../docs/ci");
const page = readFileSync(join(__dirname, "../../../docs/how-to/ci.md"), "utf8");
const text = (file: string) => readFileSync(join(folder, file), "utf8");
const documents = (file: string) =>
  parseAllDocuments(text(file)).map((document) => ({ errors: document.errors, value: document.toJS() as Record<string, any> }));

it("has files to copy that are YAML, and that the page names", () => {
  const files = readdirSync(folder).sort();
  expect(files).toEqual(["github-apply.yml", "github-drift.yml", "github-preview.yml", "gitlab-ci.yml", "operator-stack.yaml"]);
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
  const [, applied] = /npx --no-install pulumi-ovn apply ([^|\n]*)/.exec(text("github-apply.yml"))!;
  expect(options(applied!.trim().split(" "), applyCommand.options)).toMatchObject({ plan: "plan.json", "revert-in": "900", "no-auto-confirm": true });
  for (const file of ["github-preview.yml", "gitlab-ci.yml"]) {
    const [, args] = /npx --no-install pulumi-ovn diff ([^>]*)>/.exec(text(file))!;
    expect(readOptions(args!.trim().split(" "))).toMatchObject({ stack: "prod", format: "markdown", maxBytes: 60_000 });
  }
});

it("comments on GitHub also when the preview failed", () => {
  const { value } = documents("github-preview.yml")[0]!;
  const steps = value.jobs.preview.steps as { if?: string; run?: string; with?: Record<string, string> }[];
  const diff = steps.findIndex(({ run }) => /> diff\.md$/.test(run ?? ""));
  expect(steps[diff + 1]).toMatchObject({ if: "${{ !cancelled() && hashFiles('diff.md') != '' }}", with: { path: "diff.md" } });
});

it("has commands only in GitLab's scripts, and fails where the preview does", () => {
  const { value } = documents("gitlab-ci.yml")[0]!;
  for (const lines of [value[".pulumi"].before_script, value.preview.script, value.up.script, value.drift.script] as unknown[][])
    for (const line of lines) expect(typeof line).toBe("string");
  expect(value.preview.script.at(-1)).toBe("exit $code");
});

it("gives the operator's workspace the targets as a mounted secret", () => {
  const stack = documents("operator-stack.yaml")
    .map(({ value }) => value)
    .find(({ kind }) => kind === "Stack")!;
  const {
    containers: [container],
    volumes: [volume],
  } = stack.spec.workspaceTemplate.spec.podTemplate.spec;
  expect([stack.apiVersion, container.name, volume]).toEqual(["pulumi.com/v1", "pulumi", { name: "targets", secret: { secretName: "ovn-targets" } }]);
  expect(container.env[0].value.startsWith(`${container.volumeMounts[0].mountPath}/`)).toBe(true);
  expect([container.env[0].name, container.volumeMounts[0].name]).toEqual(["PULUMI_OVN_TARGETS", volume.name]);
});
