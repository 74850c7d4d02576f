import { cp, mkdir, mkdtemp, readFile } from "node:fs/promises";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { checkOut, type Machine, runScript, type Variables } from "./machine";

interface Rule {
  readonly if: string;
  readonly when?: "never" | "manual";
}

interface Job {
  readonly extends?: string;
  readonly before_script?: readonly string[];
  readonly script: readonly string[];
  readonly rules?: readonly Rule[];
  readonly variables?: Variables;
  readonly needs?: readonly string[];
  readonly artifacts?: { readonly paths?: readonly string[]; readonly reports?: { readonly dotenv?: string } };
}

export interface Ended {
  readonly failed: boolean;
  readonly log: string;
}

/** The file of a pipeline: jobs, templates of jobs (names with a dot), and what is neither. */
type File = Readonly<Record<string, Job>>;

/** Whether one of GitLab's comparisons `$NAME == "text"` or `$NAME == $OTHER` holds. */
const holds = (expression: string, variables: Variables): boolean =>
  expression.split("&&").every((term) => {
    const [left, operator, right] = term
      .trim()
      .split(/ (==|!=) /)
      .map((word) => (word.startsWith("$") ? (variables[word.slice(1)] ?? "") : word.replaceAll('"', "")));
    return (left === right) === (operator === "==");
  });

/** Runs the jobs of a pipeline whose rules hold, manual ones too, in the order of the file. Jobs after a failed one are left out. */
export async function runPipeline(machine: Machine, file: string, ref: string, variables: Variables): Promise<Readonly<Record<string, Ended>>> {
  const jobs = parse(await readFile(file, "utf8")) as File;
  const folder = await mkdtemp(join(machine.folder, "pipeline-"));
  const ended: Record<string, Ended> = {};
  const reported: Record<string, string> = {};
  for (const [name, own] of Object.entries(jobs)) {
    const job = { ...(own.extends === undefined ? {} : jobs[own.extends]), ...own };
    const rule = job.rules?.find((one) => holds(one.if, variables));
    if (name.startsWith(".") || rule === undefined || rule.when === "never" || Object.values(ended).some(({ failed }) => failed)) continue;
    const workspace = join(folder, name, "workspace");
    await mkdir(workspace, { recursive: true });
    await checkOut(machine, ref, workspace);
    const artifacts = join(folder, "artifacts");
    if (existsSync(artifacts)) await cp(artifacts, workspace, { recursive: true });
    const all = { ...machine.variables, HOME: join(folder, name), PATH: `${machine.node}:${machine.path}`, CI: "true", ...variables, ...reported };
    const set = Object.entries(job.variables ?? {}).map(([key, text]) => [
      key,
      text.replace(/\$(\w+)/g, (_, other: string) => all[other as keyof typeof all] ?? ""),
    ]);
    const lines = [...(job.before_script ?? []), ...job.script].join("\n");
    ended[name] = await runScript("bash {0}", workspace, { ...all, ...Object.fromEntries(set) }, `set -eo pipefail\n${lines}\n`);
    for (const path of job.artifacts?.paths ?? [])
      if (existsSync(join(workspace, path))) await cp(join(workspace, path), join(artifacts, path), { recursive: true });
    const report = job.artifacts?.reports?.dotenv;
    if (report !== undefined && existsSync(join(workspace, report)))
      for (const line of (await readFile(join(workspace, report), "utf8")).split("\n").filter(Boolean)) {
        const [key, text] = line.split(/=(.*)/s);
        reported[key!] = text!;
      }
  }
  return ended;
}
