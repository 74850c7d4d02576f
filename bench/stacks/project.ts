import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { projectRoot } from "@pulumi-ovn/sandbox/dist/kit/project-root";
import { pulumiEnvironment, pulumiFolder } from "@pulumi-ovn/sandbox/dist/tools/pulumi-cli";

const run = promisify(execFile);

/** A throw-away Pulumi project below the root, so that the packages resolve. */
export class Project implements AsyncDisposable {
  private constructor(
    readonly folder: string,
    readonly env: NodeJS.ProcessEnv,
  ) {}

  static async create(program: string, zones: object): Promise<Project> {
    const parent = join(projectRoot, ".sandbox");
    await mkdir(parent, { recursive: true });
    const folder = await mkdtemp(join(parent, "bench-"));
    await mkdir(join(folder, "backend", "state"), { recursive: true });
    await writeFile(join(folder, "Pulumi.yaml"), "name: bench\nruntime:\n  name: nodejs\n  options:\n    typescript: false\n");
    await writeFile(join(folder, "index.js"), `const pulumi = require("@pulumi/pulumi");\nconst ovn = require("pulumi-ovn");\n${program}`);
    const project = new Project(folder, pulumiEnvironment(await pulumiFolder(() => undefined), join(folder, "backend")));
    await project.run("stack", "init", "dev");
    await writeFile(join(folder, "Pulumi.dev.yaml"), "config:\n  ovn:targets: targets.yaml\n");
    await writeFile(join(folder, "targets.yaml"), JSON.stringify({ zones }));
    return project;
  }

  async run(...args: string[]): Promise<string> {
    const { stdout } = await run("pulumi", [...args, "--non-interactive"], { cwd: this.folder, env: this.env, maxBuffer: 1e9 });
    return stdout;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
  }
}
