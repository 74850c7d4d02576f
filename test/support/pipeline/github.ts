import { existsSync, globSync } from "node:fs";
import { cp, mkdir, mkdtemp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createContext, runInContext } from "node:vm";
import { parse } from "yaml";
import { checkOut, type Machine, runScript, type Variables } from "./machine";

interface Step {
  readonly id?: string;
  readonly uses?: string;
  readonly with?: Variables;
  readonly run?: string;
  readonly shell?: string;
  readonly env?: Variables;
  readonly if?: string;
}

interface Job {
  readonly needs?: string;
  readonly if?: string;
  readonly env?: Variables;
  readonly outputs?: Variables;
  readonly environment?: string;
  readonly container?: string;
  readonly steps: readonly Step[];
}

export interface Run {
  readonly ref: string;
  readonly secrets: Variables;
  readonly github: { readonly token: string; readonly api_url: string; readonly event: object };
  /** Called before a job of a protected environment, with the summary of the jobs before. */
  readonly approve?: (summary: string) => Promise<void>;
}

interface Ended {
  readonly failed: boolean;
  readonly log: string;
  readonly summary: string;
  readonly outputs: Variables;
}

/** Runs the jobs of a workflow, each `run` by its shell, each known action by what it does to the machine. A job that was left out is absent. */
export async function runWorkflow(machine: Machine, file: string, run: Run): Promise<Readonly<Record<string, Ended>>> {
  const workflow = parse(await readFile(file, "utf8")) as { env?: Variables; jobs: Record<string, Job> };
  const folder = await mkdtemp(join(machine.folder, "run-"));
  const ended: Record<string, Ended> = {};
  for (const [name, job] of Object.entries(workflow.jobs)) {
    const needed = job.needs === undefined ? undefined : ended[job.needs];
    if (job.needs !== undefined && (needed === undefined || needed.failed)) continue;
    const result = await new RunningJob(machine, { ...run, env: workflow.env ?? {} }, folder, name, job, ended).end();
    if (result !== undefined) ended[name] = result;
  }
  return ended;
}

class RunningJob {
  readonly #home: string;
  readonly #workspace: string;
  readonly #steps: Record<string, { outputs: Variables }> = {};
  #path: string;
  #failed = false;
  #log = "";

  constructor(
    private readonly machine: Machine,
    private readonly run: Run & { readonly env: Variables },
    private readonly folder: string,
    name: string,
    private readonly job: Job,
    private readonly needs: Readonly<Record<string, Ended>>,
  ) {
    this.#home = join(folder, name);
    this.#workspace = join(this.#home, "workspace");
    this.#path = job.container?.startsWith("node:") ? `${machine.node}:${machine.path}` : machine.path;
  }

  async end(): Promise<Ended | undefined> {
    const { job, run, needs } = this;
    if (job.if !== undefined && !this.#value(job.if)) return undefined;
    if (job.environment !== undefined)
      await run.approve?.(
        Object.values(needs)
          .map(({ summary }) => summary)
          .join(""),
      );
    await mkdir(this.#workspace, { recursive: true });
    const summary = join(this.#home, "summary");
    for (const step of job.steps) {
      if (step.if === undefined ? this.#failed : !this.#value(step.if)) continue;
      if (step.uses !== undefined) await this.#use(step.uses.split("@")[0]!, step.with ?? {});
      else await this.#script(step, { GITHUB_STEP_SUMMARY: summary });
    }
    const outputs = this.#filled(job.outputs);
    return { failed: this.#failed, log: this.#log, outputs, summary: existsSync(summary) ? await readFile(summary, "utf8") : "" };
  }

  async #use(action: string, options: Variables): Promise<void> {
    const { machine } = this;
    const artifact = join(this.folder, "artifacts", options["name"] ?? "");
    if (action === "actions/checkout") await checkOut(machine, this.run.ref, this.#workspace);
    else if (action === "actions/setup-node") this.#path = `${machine.node}:${this.#path}`;
    else if (action === "pulumi/actions") this.#path = `${machine.pulumi}:${this.#path}`;
    else if (action === "actions/upload-artifact") await this.#upload(artifact, options);
    else if (action === "actions/download-artifact") await cp(artifact, this.#workspace, { recursive: true });
    else throw new Error(`this test does not know the action ${action}`);
  }

  async #upload(artifact: string, { path = "", "include-hidden-files": hidden }: Variables): Promise<void> {
    if (path.startsWith(".") && !hidden) throw new Error(`the action leaves out ${path}: hidden files need "include-hidden-files"`);
    const from = join(this.#workspace, path);
    if (existsSync(from)) await cp(from, join(artifact, path), { recursive: true });
  }

  async #script(step: Step, own: Variables): Promise<void> {
    const { machine, run } = this;
    const output = join(this.#home, "output");
    await writeFile(output, "");
    const runner = {
      HOME: this.#home,
      PATH: this.#path,
      CI: "true",
      GITHUB_API_URL: run.github.api_url,
      GITHUB_REPOSITORY: "shop/network",
      GITHUB_OUTPUT: output,
    };
    const env = { ...machine.variables, ...runner, ...own, ...this.#filled(run.env), ...this.#filled(this.job.env), ...this.#filled(step.env) };
    const { failed, log } = await runScript(step.shell ?? "bash -e {0}", this.#workspace, env, this.#fill(step.run!));
    this.#log += log;
    this.#failed ||= failed;
    const lines = (await readFile(output, "utf8")).split("\n").filter(Boolean);
    if (step.id !== undefined) this.#steps[step.id] = { outputs: Object.fromEntries(lines.map((line) => line.split(/=(.*)/s) as [string, string])) };
  }

  /** GitHub's expressions that the files use are JavaScript, too. */
  #value(expression: string): unknown {
    const { run, needs } = this;
    const context = {
      ...{ secrets: run.secrets, github: { ...run.github, workspace: this.#workspace }, steps: this.#steps, needs },
      ...{ cancelled: () => false, always: () => true, success: () => !this.#failed, failure: () => this.#failed },
      hashFiles: (pattern: string) => globSync(pattern, { cwd: this.#workspace }).join(),
    };
    return runInContext(expression.replace(/^\$\{\{|\}\}$/g, ""), createContext(context));
  }

  #fill(text: string): string {
    return text.replace(/\$\{\{(.*?)\}\}/g, (_, expression: string) => String(this.#value(expression) ?? ""));
  }

  #filled(variables: Variables = {}): Variables {
    return Object.fromEntries(Object.entries(variables).map(([key, text]) => [key, this.#fill(String(text))]));
  }
}
