import { cp, mkdir, mkdtemp, rm } from "node:fs/promises";
import { spawn } from "node:child_process";
import { join } from "node:path";
import { pulumiEnvironment, pulumiFolder, projectRoot } from "../../sandbox/pulumi-cli";
import { finished } from "./workspace";

type Changes = Record<string, number>;

/** A copy of a project of this repository, with a state of its own: the copy's stack files never show up in the repository. */
export class Example implements AsyncDisposable {
  private constructor(
    readonly folder: string,
    /** For programs that are to see the stack as the CLI does. */
    readonly environment: NodeJS.ProcessEnv,
  ) {}

  /**
   * @param base the folder that the copy is made from, below the repository's root
   * @param files what belongs to the project, below `base`
   * @param zones go to the provider by the environment, as in a pipeline
   */
  static async copy(base: string, files: readonly string[], zones: object): Promise<Example> {
    const parent = join(projectRoot, ".sandbox");
    await mkdir(parent, { recursive: true });
    const folder = await mkdtemp(join(parent, "example-"));
    for (const file of files) await cp(join(projectRoot, base, file), join(folder, file), { recursive: true });
    await mkdir(join(folder, "state", "state"), { recursive: true });
    const environment = {
      ...pulumiEnvironment(await pulumiFolder(() => undefined), join(folder, "state")),
      PULUMI_OVN_ZONES: JSON.stringify(zones),
    };
    const example = new Example(folder, environment);
    try {
      await example.run("stack", "init", "test");
    } catch (error) {
      await example[Symbol.asyncDispose]();
      throw error;
    }
    return example;
  }

  /** Runs a command that has to succeed; returns what it printed. */
  async run(...args: string[]): Promise<string> {
    const options = { cwd: this.folder, env: this.environment, stdio: ["ignore", "pipe", "pipe"] as ["ignore", "pipe", "pipe"] };
    const { code, stdout, stderr } = await finished(spawn("pulumi", [...args, "--non-interactive", "--color=never"], options));
    if (code !== 0) throw new Error(`pulumi ${args.join(" ")} exited ${code}\n${stdout}\n${stderr}`);
    return stdout;
  }

  /** What an update did, counted by kind of change, as the stack's history has it. */
  async changes(command: "up" | "destroy"): Promise<Changes> {
    await this.run(command, "--yes", "--skip-preview", "--stack", "test");
    const history = await this.run("stack", "history", "--json", "--page-size", "1", "--stack", "test");
    return (JSON.parse(history) as [{ resourceChanges: Changes }])[0].resourceChanges;
  }

  async outputs(): Promise<Record<string, unknown>> {
    return JSON.parse(await this.run("stack", "output", "--json", "--stack", "test")) as Record<string, unknown>;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
  }
}
